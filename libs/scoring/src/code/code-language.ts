const ALIASES = new Map([
  ['py', 'python'],
  ['rs', 'rust'],
  ['ts', 'typescript'],
  ['tsx', 'typescript'],
  ['js', 'javascript'],
  ['jsx', 'javascript'],
  ['mjs', 'javascript'],
  ['cjs', 'javascript'],
  ['rb', 'ruby'],
  ['kt', 'kotlin'],
  ['yml', 'yaml'],
  ['sh', 'bash'],
  ['shell', 'bash'],
]);

/** One name for a language, however a suite or a fence writes it: `py`, `Python` and `{.python}` are `python`. */
export function codeLanguage(written: string): string {
  const name = /[\w+#-]+/.exec(written.toLowerCase())?.[0] ?? '';
  return ALIASES.get(name) ?? name;
}
