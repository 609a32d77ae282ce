import { type MutantKind } from '@kiln/contracts';

/** Dress that changes nothing of what an answer says. */
export type Wrapper = Extract<MutantKind, 'white_space' | 'bold' | 'latex' | 'boxed' | 'fence' | 'parentheses' | 'sentence'>;

const WRAPPERS: Readonly<Record<Wrapper, (text: string) => string>> = {
  white_space: (text) => ` ${text}\n`,
  bold: (text) => `**${text}**`,
  latex: (text) => `$${text}$`,
  boxed: (text) => `\\boxed{${text}}`,
  fence: (text) => `\`\`\`\n${text}\n\`\`\``,
  parentheses: (text) => `(${text})`,
  sentence: (text) => `The answer is ${text}.`,
};

/** Every wrapper around `text`, with its name. */
export function wrapped(text: string): [Wrapper, string][] {
  return (Object.keys(WRAPPERS) as Wrapper[]).map((wrapper) => [wrapper, WRAPPERS[wrapper](text)]);
}
