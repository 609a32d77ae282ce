import { type JsonObject, type Score } from '@kiln/contracts';
import { excerpt } from '../excerpt.js';
import { isJsonObject } from '../json/is-json-object.js';
import { unscorable } from '../score-results.js';
import { type ConfinedResult } from '../scorer-ports.js';

/** A program that ran, however it ended. */
export type ConfinedRun = Extract<ConfinedResult, { ok: true }>;

/** The exit code that shells and bubblewrap give to a program that SIGKILL ended. */
const KILLED = 128 + 9;

/** Why a run says nothing about what it ran: nothing was started, its time was over, or the machine ended it. Null when it does. */
export function runFailure(result: ConfinedResult): Score | null {
  if (!result.ok) return unscorable(result.code, { message: excerpt(result.message) });
  if (result.timedOut) return unscorable('timeout', withConfinement(result));
  const killed = result.signal === 'SIGKILL' || result.exitCode === KILLED;
  return killed && !result.outputLimit ? unscorable('killed', withConfinement(result)) : null;
}

/** A score from a run without a sandbox says so. */
export function withConfinement({ confinement }: ConfinedRun, detail: JsonObject = {}): JsonObject {
  return confinement === 'process' ? { ...detail, warning: 'ran_without_sandbox' } : detail;
}

/** The JSON objects of the lines that begin with the token: what the harness reported, in order. */
export function readReport({ stdout }: ConfinedRun, token: string): JsonObject[] {
  return stdout
    .split('\n')
    .filter((line) => line.startsWith(token))
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line.slice(token.length));
        return isJsonObject(value) ? [value as JsonObject] : [];
      } catch {
        // Cut short at the end of the output.
        return [];
      }
    });
}
