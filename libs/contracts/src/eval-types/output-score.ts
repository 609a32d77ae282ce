import { z } from 'zod';
import { nonBlankText } from '../scalars/text.js';
import { type DeclaredScore, ScoreType } from '../scorer/executed-scorers.js';

/** A score that an eval declares, as people name it. */
export const OutputScore = z
  .object({
    name: nonBlankText(200).refine((name) => scoreKey(name) !== '', 'must have a letter or a digit'),
    type: z.enum(ScoreType.options, { error: `must be one of ${ScoreType.options.join(', ')}; custom ratings have no range` }),
  })
  .meta({ id: 'OutputScore' });
export type OutputScore = z.infer<typeof OutputScore>;

/** The key under which results hold a score: "Overall Rating" is `overall_rating`. */
export function scoreKey(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

export function declaredScore({ name, type }: OutputScore): DeclaredScore {
  return { key: scoreKey(name), type };
}
