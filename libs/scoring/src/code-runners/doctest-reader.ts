import { type Score } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { unscorable } from '../score-results.js';
import { type ScorerPorts } from '../scorer-ports.js';
import { runFailure, withConfinement } from './confined-run.js';
import { type DoctestReading } from './doctest-reading.js';
import { READ_DOCTESTS_PROGRAM } from './read-doctests-program.js';

/** Reading a message takes milliseconds. */
const TIMEOUT_MS = 30_000;
/** The completions of an example follow each other; more messages than this are never open at a time. */
const MAX_KEPT = 64;

type Outcome = { readonly ok: true; readonly doctests: DoctestReading } | { readonly ok: false; readonly score: Score };

/** Reads the doctests of messages, each once. */
export class DoctestReader {
  readonly #kept = new Map<string, DoctestReading>();

  constructor(private readonly ports: ScorerPorts) {}

  async read(text: string, signal: AbortSignal): Promise<Outcome> {
    const kept = this.#kept.get(text);
    if (kept !== undefined) return { ok: true, doctests: kept };
    // Every example begins with this prompt; most messages without one need no Python.
    if (!text.includes('>>>')) return { ok: true, doctests: { tests: [], context: '', code: '' } };
    const outcome = await this.#ask(text, signal);
    if (!outcome.ok) return outcome;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(text, outcome.doctests);
    return outcome;
  }

  async #ask(text: string, signal: AbortSignal): Promise<Outcome> {
    const result = await this.ports.runConfined(
      {
        argv: ['python3', '-I', '-S', 'read.py'],
        files: { 'read.py': READ_DOCTESTS_PROGRAM },
        stdin: JSON.stringify({ text }),
        env: {},
        timeoutMs: TIMEOUT_MS,
      },
      signal,
    );
    const failure = runFailure(result);
    if (failure !== null || !result.ok) return { ok: false, score: failure ?? unscorable('harness_failed') };
    if (result.exitCode !== 0 || result.outputLimit)
      return { ok: false, score: unscorable('harness_failed', withConfinement(result, { message: excerpt(result.stderr.trim()) })) };
    const answer = JSON.parse(result.stdout) as DoctestReading | { malformed: string };
    if ('malformed' in answer) return { ok: false, score: unscorable('malformed_doctest', { message: excerpt(answer.malformed) }) };
    return { ok: true, doctests: answer };
  }
}
