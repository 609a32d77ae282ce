import { z } from 'zod';

/** Where a limit came from. `*_unlimited` and `unlimited` go with no limit, the others with a finite one. */
export const ThinkingBudgetSource = z
  .enum([
    'unlimited',
    'server_default',
    'request',
    'request_unlimited',
    'suite',
    'suite_unlimited',
    'run_override',
    'run_override_unlimited',
    'example',
    'example_unlimited',
    'unknown',
  ])
  .meta({ id: 'ThinkingBudgetSource' });
export type ThinkingBudgetSource = z.infer<typeof ThinkingBudgetSource>;

/** Whether `source` says that there is no limit; null for `unknown`, which says nothing. */
export function saysUnlimited(source: ThinkingBudgetSource): boolean | null {
  if (source === 'unknown') return null;
  return source.endsWith('unlimited');
}

const effective = {
  configured: z.boolean().meta({ description: 'At least one finite limit.' }),
  max_tokens: z.int().min(0).exactOptional().meta({ description: 'Absent = unlimited.' }),
  max_time_ms: z.int().min(0).exactOptional().meta({ description: 'Absent = unlimited.' }),
  tokens_source: ThinkingBudgetSource,
  time_source: ThinkingBudgetSource,
};

const outcome = {
  applied: z.boolean(),
  triggered: z.boolean(),
  trigger: z.enum(['tokens', 'time', 'max_tokens']).exactOptional().meta({ description: 'Present exactly when triggered.' }),
  time_up_at: z
    .int()
    .min(0)
    .exactOptional()
    .meta({ description: 'Tokens of the completion when the limit in time was reached, so that a replay can close reasoning there.' }),
  closed: z.boolean().exactOptional(),
  thinking_tokens: z.int().min(0).exactOptional(),
  thinking_time_ms: z.number().min(0).exactOptional(),
};

/** Limits in force for one example, resolved independently per dimension. */
export const EffectiveThinkingBudget = z.object(effective).check(checkEffective).meta({ id: 'EffectiveThinkingBudget' });
export type EffectiveThinkingBudget = z.infer<typeof EffectiveThinkingBudget>;

/** What the limits did to one sample. */
export const ThinkingBudgetOutcome = z.object(outcome).check(checkOutcome).meta({ id: 'ThinkingBudgetOutcome' });
export type ThinkingBudgetOutcome = z.infer<typeof ThinkingBudgetOutcome>;

/** Both parts, as a raw outcome carries them. */
export const ThinkingBudgetRecord = z
  .object({ ...effective, ...outcome })
  .check(checkEffective, checkOutcome, ({ value, issues }) => {
    if (value.applied && !value.configured) {
      issues.push({ code: 'custom', input: true, path: ['applied'], message: 'needs a configured limit' });
    }
  })
  .meta({ id: 'ThinkingBudgetRecord' });
export type ThinkingBudgetRecord = z.infer<typeof ThinkingBudgetRecord>;

interface Check<T> {
  value: T;
  issues: z.core.$ZodRawIssue[];
}

function checkEffective({ value, issues }: Check<z.infer<z.ZodObject<typeof effective>>>): void {
  const finite = value.max_tokens !== undefined || value.max_time_ms !== undefined;
  if (value.configured !== finite) {
    issues.push({ code: 'custom', input: value.configured, path: ['configured'], message: 'must be true exactly when a limit is finite' });
  }
  const dimensions = [
    ['tokens_source', value.tokens_source, value.max_tokens],
    ['time_source', value.time_source, value.max_time_ms],
  ] as const;
  for (const [field, source, limit] of dimensions) {
    const unlimited = saysUnlimited(source);
    if (unlimited === null || unlimited === (limit === undefined)) continue;
    const message = unlimited ? 'says unlimited, but there is a limit' : 'names a limit, but there is none';
    issues.push({ code: 'custom', input: source, path: [field], message });
  }
}

function checkOutcome({ value, issues }: Check<z.infer<z.ZodObject<typeof outcome>>>): void {
  if (value.triggered !== (value.trigger !== undefined)) {
    issues.push({ code: 'custom', input: value.trigger, path: ['trigger'], message: 'must be present exactly when triggered' });
  }
  const present = [value.closed, value.thinking_tokens, value.thinking_time_ms].filter((part) => part !== undefined).length;
  if (present !== 0 && present !== 3) {
    issues.push({
      code: 'custom',
      input: value,
      path: ['closed'],
      message: 'closed, thinking_tokens and thinking_time_ms come together or not at all',
    });
  }
}
