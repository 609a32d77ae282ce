import { type FrozenModelTarget } from '@kiln/contracts';
import { type PeftAdapter } from './lora/peft-adapter.js';
import { type PromptReader } from './prepare-prompt.js';

/** A target whose files were checked. Its weights are in memory while they are used, and as long after as there is room. */
export interface LoadedModel {
  readonly target: FrozenModelTarget;
  /** Equal for the targets that one session serves: a model with any adapter, or none. */
  readonly sessionKey: string;
  readonly reader: PromptReader;
  readonly endTokens: ReadonlySet<number>;
  /** null = the model as it is. */
  readonly adapterKey: string | null;
  /** @throws KilnError `target_changed` when the files are not the same any more. */
  readonly readAdapter: () => Promise<PeftAdapter>;
}
