import { type FrozenTarget } from '@kiln/contracts';

/** A target that was found and frozen. */
export interface ResolvedTarget {
  /** Shown in results; unique in a job. */
  name: string;
  frozen: FrozenTarget;
  /** Queue of the workers that can serve it. */
  queue: string;
  /** Most tokens of prompt and answer together; null when it is not known. */
  contextLength: number | null;
}
