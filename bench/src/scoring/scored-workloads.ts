import { parseWith, Scorer } from '@kiln/contracts';
import { plainAnswer, type ScoringInput } from '@kiln/scoring';

/** A scorer with answers of up to 400 characters, about half of them right. */
export interface ScoredWorkload {
  readonly name: string;
  readonly scorer: Scorer;
  /** Outcomes a second on one core; null where none was set. */
  readonly aim: number | null;
  input(index: number): ScoringInput;
}

const WORDS = 'the train leaves the station at noon and passes four towns before it turns back along the river to where it began'.split(
  ' ',
);
const MAX_CHARACTERS = 400;

/** Words before an answer, so that answers have 0 to 400 characters; never the same twice in a row. */
function filler(index: number, room: number): string {
  const length = (index * 37) % Math.max(1, room);
  let text = '';
  for (let word = index; text.length < length; word += 1) text += `${WORDS[word % WORDS.length]!} `;
  return text.slice(0, length);
}

function workload(
  name: string,
  aim: number | null,
  written: object,
  answer: (index: number) => string,
  target: (index: number) => string,
): ScoredWorkload {
  const scorer = parseWith(Scorer, { kind: name, ...written }, 'scorer');
  return {
    name,
    scorer,
    aim,
    input(index) {
      const end = answer(index);
      const text = `${filler(index, MAX_CHARACTERS - end.length)}${end}`;
      return plainAnswer(text, { target: target(index), messages: [{ role: 'user', content: 'How many?' }] });
    },
  };
}

const isRight = (index: number): boolean => index % 2 === 0;
const number = (index: number): string => String(1000 + (index % 9000));
const given = (index: number): string => number(isRight(index) ? index : index + 1);

/** The workloads by scorer, with the aims of the benchmark. */
export const SCORED_WORKLOADS: readonly ScoredWorkload[] = [
  exactWorkload(),
  workload(
    'contains',
    200_000,
    { phrases: ['answer 1', 'answer 2', 'answer 3', 'answer 4'] },
    (index) => `so the answer ${isRight(index) ? 1000 + (index % 4000) : 5000 + (index % 5000)}`,
    number,
  ),
  workload('regex', 50_000, { pattern: 'answer is (\\d+)', capture_group: 1 }, (index) => `so the answer is ${given(index)}.`, number),
  workload('numeric_tolerance', 50_000, { rtol: 0.0001 }, (index) => `so the answer is ${given(index)}.`, number),
  workload(
    'json_validity',
    50_000,
    { required_paths: ['/n'] },
    (index) => `{"n": ${given(index)}, "unit": "km"}`,
    (index) => `{"unit": "km", "n": ${number(index)}}`,
  ),
  workload(
    'json_schema',
    50_000,
    { schema: distanceSchema() },
    (index) => `{"n": ${isRight(index) ? number(index) : '"many"'}, "unit": "km"}`,
    number,
  ),
  workload(
    'multiple_choice',
    null,
    {},
    (index) => `so the answer is (${'ABCD'[(index + Number(!isRight(index))) % 4]!})`,
    (index) => 'ABCD'[index % 4]!,
  ),
  workload(
    'tool_call',
    null,
    {},
    (index) => call(number(index), isRight(index) ? 'measure' : 'weigh'),
    (index) => call(number(index)),
  ),
  workload(
    'code',
    null,
    { style: { kind: 'token_similarity' } },
    (index) => (isRight(index) ? code(number(index)) : '\n```python\nprint("no idea")\n```'),
    (index) => code(number(index)),
  ),
];

/** The whole answer must be right, so it is as long as the target. */
function exactWorkload(): ScoredWorkload {
  const text = (index: number): string => filler(index, MAX_CHARACTERS);
  return { ...workload('exact_match', 200_000, {}, (index) => (isRight(index) ? '' : '!'), text), name: 'exact_match' };
}

function distanceSchema(): object {
  return { type: 'object', required: ['n', 'unit'], properties: { n: { type: 'integer', minimum: 1 }, unit: { enum: ['km', 'm'] } } };
}

function call(n: string, name = 'measure'): string {
  return JSON.stringify({ name, arguments: { n: Number(n), unit: 'km' } });
}

function code(n: string): string {
  return `\n\`\`\`python\ndef distance(x):\n    return x * ${n}\n\`\`\``;
}
