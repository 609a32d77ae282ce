import { type ExampleInput } from '@kiln/contracts';

const WORDS = 'every answer here is the question itself so that nothing but the work around it takes any time'.split(' ');
/** Lines sent at once: a stream of single lines would measure the sender. */
const LINES_PER_CHUNK = 500;

/** Name under which the suite of a size is registered. */
export function echoSuiteName(examples: number): string {
  return `overhead-${examples}`;
}

/**
 * A suite as JSONL: examples whose target is their prompt, so that the echo passes each of them.
 *
 * @param promptBytes size of each prompt; a little more where the example's number alone is longer
 */
export async function* echoSuiteLines(examples: number, promptBytes: number): AsyncGenerator<Uint8Array> {
  const header = { name: echoSuiteName(examples), schema_version: 2, default_scorer: { kind: 'exact_match' } };
  let lines = [JSON.stringify(header)];
  for (let ordinal = 0; ordinal < examples; ordinal += 1) {
    lines.push(JSON.stringify(echoExample(ordinal, promptBytes)));
    if (lines.length < LINES_PER_CHUNK) continue;
    yield Buffer.from(`${lines.join('\n')}\n`);
    lines = [];
  }
  if (lines.length > 0) yield Buffer.from(`${lines.join('\n')}\n`);
}

function echoExample(ordinal: number, promptBytes: number): ExampleInput {
  let text = `example ${ordinal}:`;
  for (let word = ordinal; text.length < promptBytes; word += 1) text += ` ${WORDS[word % WORDS.length]!}`;
  const prompt = text.slice(0, Math.max(promptBytes, `example ${ordinal}:`.length)).trimEnd();
  return { messages: [{ role: 'user', content: prompt }], target: prompt, tags: [ordinal % 2 === 0 ? 'even' : 'odd'] };
}
