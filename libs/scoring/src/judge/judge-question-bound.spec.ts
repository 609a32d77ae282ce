import { parseWith, Scorer } from '@kiln/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeQuestionBound } from './judge-question-bound.js';
import { ScriptedJudge } from './scripted-judge.fixture.js';

const parse = (scorer: object): Scorer => parseWith(Scorer, scorer, 'scorer');
const template = 'Q {question} again {question}, T {target}, A {answer} and {answer}';
const scorers = [
  { kind: 'llm_judge', template, system_prompt: 'Überprüfe.', grader_reps: 3, max_tokens: 50 },
  { kind: 'llm_judge', template: '{answer}', max_tokens: 7 },
  { kind: 'judge', claims: ['one', 'zwei ä'], grader_reps: 2, max_tokens: 60 },
  { kind: 'pairwise_judge', criteria: 'Kürze.', grader_reps: 2, max_tokens: 70 },
];

describe('judgeQuestionBound', () => {
  it('counts repetitions, orders and re-asks, children included', () => {
    const sizes = { traceBytes: 0, exampleBytes: 0 };
    expect(scorers.map((scorer) => judgeQuestionBound(parse(scorer), sizes).calls)).toEqual([6, 2, 4, 8]);
    const all = judgeQuestionBound(parse({ kind: 'all', scorers: [...scorers, { kind: 'exact_match' }] }), sizes);
    expect(all).toMatchObject({ calls: 20, maxTokens: 70 });
    expect(judgeQuestionBound(parse({ kind: 'exact_match' }), sizes)).toEqual({ calls: 0, promptBytes: 0, maxTokens: 0 });
  });

  it('is never exceeded, whatever the texts are and the judge replies', async () => {
    const replies = fc.constantFrom(null, '', 'Score: 1', 'Score: 1 Score: 0', '[[A]]', '[[Z]]', '{"claims": []}', 'x'.repeat(2_000));
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...scorers),
        text,
        text,
        text,
        fc.boolean(),
        fc.infiniteStream(replies),
        async (scorer, question, target, answer, calls, stream) => {
          const toolCalls = calls ? [{ name: answer }] : null;
          const judge = new ScriptedJudge(() => stream.next().value, randomTokens());
          await judge.score(scorer, answer, { target, messages: [{ role: 'user', content: question }], toolCalls });
          const traceBytes = Buffer.byteLength(answer) + (toolCalls ? Buffer.byteLength(JSON.stringify(toolCalls)) : 0);
          const exampleBytes = Buffer.byteLength(question) + Buffer.byteLength(target);
          const bound = judgeQuestionBound(parse(scorer), { traceBytes, exampleBytes });
          expect(judge.questions.length).toBeLessThanOrEqual(bound.calls);
          for (const { messages, maxTokens } of judge.questions) {
            expect(maxTokens).toBeLessThanOrEqual(bound.maxTokens);
            const bytes = messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
            expect(bytes).toBeLessThanOrEqual(bound.promptBytes);
          }
        },
      ),
    );
  });

  it('is linear in both sizes, over children of unlike length too', () => {
    const long = { kind: 'judge', claims: ['x'.repeat(4_000)] };
    const whole = parse({ kind: 'any', scorers: [long, { kind: 'llm_judge', template: '{answer}{answer}{answer}' }] });
    const bytes = (traceBytes: number, exampleBytes: number): number => judgeQuestionBound(whole, { traceBytes, exampleBytes }).promptBytes;
    const [fixed, trace, example] = [bytes(0, 0), bytes(1, 0) - bytes(0, 0), bytes(0, 1) - bytes(0, 0)];
    expect([trace, example]).toEqual([3, 1]);
    fc.assert(fc.property(fc.nat(), fc.nat(), (a, b) => bytes(a, b) === fixed + a * trace + b * example));
  });

  it('is tight: a re-ask of a long token reaches it', async () => {
    const [scorer = {}] = scorers.slice(1);
    const judge = new ScriptedJudge(['Score: 1/3', 'Score: 1'], Array<string>(2).fill('y'.repeat(100)));
    await judge.score(scorer, 'abc', { toolCalls: null });
    const { promptBytes } = judgeQuestionBound(parse(scorer), { traceBytes: 3, exampleBytes: 0 });
    const reached = Buffer.byteLength(judge.prompts[1] ?? '');
    expect(promptBytes - reached).toBeGreaterThanOrEqual(0);
    expect(promptBytes - reached).toBeLessThan(60);
  });
});

function* randomTokens(): Generator<string> {
  for (let count = 0; ; count += 1) yield `${count}`.padStart(40, 'q');
}
