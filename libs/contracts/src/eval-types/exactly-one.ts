import { type z } from 'zod';

/** Refuses an object that states the expected value in no way or in two. A field that is null is not given. */
export function exactlyOne<A extends string, B extends string>(first: A, second: B) {
  return ({ value, issues }: { value: Record<A | B, unknown>; issues: z.core.$ZodRawIssue[] }): void => {
    const given = [first, second].filter((field) => value[field] !== null);
    if (given.length === 1) return;
    const message = given.length === 0 ? `needs ${first} or ${second}` : `has both ${first} and ${second}; leave one out`;
    issues.push({ code: 'custom', input: value, message });
  };
}
