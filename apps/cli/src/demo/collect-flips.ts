import type { Comparison, RawOutcome } from '@kiln/contracts';
import type { ApiClient } from '../client/api-client.js';
import type { Flip } from '../report/flip-lines.js';

interface Question {
  readonly prompt: string;
  readonly target: string | null;
}

/**
 * A few flips of each candidate with their texts.
 * @param each  how many in each direction
 * @returns by run index of the candidate
 */
export async function collectFlips(
  client: ApiClient,
  job: { readonly id: string; readonly suite: { readonly name: string; readonly hash: string } },
  comparisons: readonly Comparison[],
  each: number,
): Promise<Map<number, Flip[]>> {
  const questions = await questionsOf(client, job.suite);
  const answers = new Map<number, Map<string, string>>();
  const answersOf = async (runIndex: number): Promise<Map<string, string>> => {
    const known = answers.get(runIndex) ?? (await readAnswers(client, job.id, runIndex));
    answers.set(runIndex, known);
    return known;
  };
  const flips = new Map<number, Flip[]>();
  for (const { baseline, candidate, improved, regressed } of comparisons) {
    const [before, after] = [await answersOf(baseline.run_index), await answersOf(candidate.run_index)];
    const flip =
      (direction: Flip['direction']) =>
      (exampleId: string): Flip => ({
        direction,
        exampleId,
        prompt: questions.get(exampleId)?.prompt ?? '',
        target: questions.get(exampleId)?.target ?? null,
        before: before.get(exampleId) ?? '',
        after: after.get(exampleId) ?? '',
      });
    flips.set(candidate.run_index, [...improved.slice(0, each).map(flip('improved')), ...regressed.slice(0, each).map(flip('regressed'))]);
  }
  return flips;
}

async function questionsOf(client: ApiClient, suite: { readonly name: string; readonly hash: string }): Promise<Map<string, Question>> {
  const { examples } = await client.call('getSuite', { params: { name: suite.name }, query: { hash: suite.hash } });
  return new Map(
    examples.map(({ id, messages, target }) => {
      const { content } = messages.findLast(({ role }) => role === 'user') ?? { content: '' };
      return [id ?? '', { prompt: typeof content === 'string' ? content : JSON.stringify(content), target }];
    }),
  );
}

async function readAnswers(client: ApiClient, id: string, runIndex: number): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  let cursor: string | undefined;
  do {
    const page: { outcomes: RawOutcome[]; next_cursor: string | null } = await client.call('listOutcomes', {
      params: { id },
      query: { run_index: runIndex, limit: 1000, cursor },
    });
    for (const { example_id: example, completion_index: index, completion_text: text } of page.outcomes)
      if (index === 0) answers.set(example, text);
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return answers;
}
