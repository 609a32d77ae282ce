import { runCli } from './run-cli.js';

/** Runs `kiln …argv` in this process, without environment or repository: its exit code, and what it printed. */
export async function captureCli(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', ''];
  const code = await runCli(argv, {
    root: '/nowhere',
    version: '1.2.3',
    env: {},
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text) },
  });
  return { code, out, err };
}
