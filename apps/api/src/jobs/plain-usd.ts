import { formatNanoUsd, nanoUsd } from '@kiln/contracts';

/** US dollars as `numeric` of SQL without its trailing zeros: 0.250000000 → 0.25. */
export function plainUsd(numeric: string): string {
  return formatNanoUsd(nanoUsd(numeric));
}
