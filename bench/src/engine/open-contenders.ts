import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { byteLevelTokens } from '@kiln/inference/testing';
import { type BenchModel } from './bench-models.js';
import { type Contender } from './contender.js';
import { installPython, type PythonProgram } from './install-python.js';
import { KilnContender } from './kiln-contender.js';
import { ProgramContender } from './program-contender.js';

const PROGRAMS = path.resolve(import.meta.dirname, '../../contenders');

/** A contender, and how many rows it is told to decode together. Kiln decides that itself, as far as there are prompts. */
export interface Entry {
  contender: Contender;
  /** From end to end; null = it decides. */
  batches: readonly (number | null)[];
  /** Where decoding is timed alone. */
  decodeRows: readonly number[];
  /** Share of its answers that must be Kiln's: 1 where it computes with the same library. Another one rounds differently. */
  requiredShare: number;
}

/** Starts all contenders for a model, with the model loaded. What cannot be started is told to `onNotice`. */
export async function openContenders(
  model: BenchModel,
  { python, onNotice, onProgress }: { python: boolean; onNotice: (line: string) => void; onProgress: (line: string) => void },
): Promise<Entry[]> {
  const tokenizer = JSON.parse(await readFile(path.join(model.path, 'tokenizer.json'), 'utf8')) as object;
  const tokenBytes = byteLevelTokens(tokenizer)!;
  const open = (name: string, command: string, program: string, ...args: string[]): Promise<Contender> =>
    ProgramContender.open({ name, command, args: [path.join(PROGRAMS, program), ...args], tokenBytes });
  const entries: Entry[] = [];
  try {
    entries.push({ contender: await KilnContender.open(model), batches: [null], decodeRows: [1, 8, 32], requiredShare: 1 });
    const transformersJs = await open('transformers.js', process.execPath, 'transformers-js.mjs', model.path);
    entries.push({ contender: transformersJs, batches: [1, 8], decodeRows: [1, 8], requiredShare: 1 });
    const { forPython } = model;
    if (forPython === null) return entries;
    const inPython = async (kind: PythonProgram, name: string, args: string[], decodeRows: number[]): Promise<void> => {
      const installed = python ? await installPython(kind, onProgress) : { reason: 'left out' };
      if ('reason' in installed) return onNotice(`${name} is not measured: ${installed.reason}`);
      try {
        const contender = await open(name, installed.python, `${kind}.py`, ...args);
        entries.push({ contender, batches: [8], decodeRows, requiredShare: 0.9 });
      } catch (error) {
        onNotice(`${name} is not measured: ${(error as Error).message}`);
      }
    };
    await inPython('genai', 'onnxruntime-genai', [forPython.genaiPath], [1, 8, 32]);
    await inPython('pytorch', 'transformers on PyTorch', [model.path, forPython.weightsManifest], [1, 8]);
    return entries;
  } catch (error) {
    await closeAll(entries);
    throw error;
  }
}

export async function closeAll(entries: readonly Entry[]): Promise<void> {
  await Promise.all(entries.map(({ contender }) => contender.close()));
}
