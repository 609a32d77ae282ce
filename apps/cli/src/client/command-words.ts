/** What the API's hints say in the words of HTTP, and how the same is done here. What others contain stands first. */
const COMMANDS: readonly (readonly [words: string, command: string])[] = [
  ['GET /v1/eval/jobs/{id}?wait=60', 'kiln eval show <job> --watch'],
  ['GET /v1/eval/jobs', 'kiln eval jobs'],
  ['GET /v1/keys', 'kiln keys list'],
  ['a job of POST /v1/eval/compare', 'a job of kiln eval compare'],
  ['POST /v1/eval/suites with content-type application/jsonl, the header', 'kiln eval register --file <name>.jsonl, the header'],
  ['POST one to /v1/eval/suites', 'kiln eval register --file <path> registers one'],
  ['Send force=true', 'Use --force'],
];

/** A hint of the API with commands in the place of routes. */
export function commandWords(hint: string): string {
  return COMMANDS.reduce((text, [words, command]) => text.replaceAll(words, command), hint);
}
