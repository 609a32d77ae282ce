import { JsonObject, Message, parseWith, Scorer } from '@kiln/contracts';
import { compileScorer, compileScorerCheck, isInlineScorer, plainAnswer, type ScoringInput } from '@kiln/scoring';
import { z } from 'zod';

const Answers = z.array(z.string()).default([]);

/** An example of docs/scorers.md: a scorer, what it is asked about, and how answers come out. */
const ScorerExample = z.strictObject({
  scorer: Scorer,
  target: z.string().nullable().default(null),
  aliases: Answers,
  reference: JsonObject.nullable().default(null),
  messages: z.array(Message).default([]),
  tool_calls: z.array(JsonObject).nullable().default(null),
  pass: Answers,
  fail: Answers,
  invalid: Answers,
});
export type ScorerExample = z.infer<typeof ScorerExample>;

/** Reads an example and has its scorer checked as registration would. @throws KilnError */
export function readScorerExample(value: unknown): ScorerExample {
  const example = parseWith(ScorerExample, value, 'example');
  compileScorerCheck(example.scorer, 'scorer')(example, 'example');
  return example;
}

/** The answers that do not come out as the example says. Judges and code are not run. */
export function wrongAnswers({ scorer, ...example }: ScorerExample): string[] {
  if (!isInlineScorer(scorer)) return [];
  const score = compileScorer(scorer);
  const input = (text: string): ScoringInput => ({ ...plainAnswer(text, example), toolCalls: example.tool_calls });
  return (['pass', 'fail', 'invalid'] as const).flatMap((wanted) =>
    example[wanted].flatMap((text) => {
      const { kind, detail } = score(input(text));
      return kind === wanted ? [] : [`${JSON.stringify(text)} is ${kind} ${JSON.stringify(detail)}, not ${wanted}`];
    }),
  );
}
