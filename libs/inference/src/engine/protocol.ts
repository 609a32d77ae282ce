import { type FrozenTarget, type KilnError } from '@kiln/contracts';
import { type LoadedTarget, type SampleRequest, type SampleResult } from '../generator.js';

/*
 * Flow: the child grants credits, one per sample that it is willing to hold (two batches' worth: one under way, one waiting). A
 * sample takes a credit when it is sent; its result gives it back, or `released` where a cancelled sample has none.
 *
 * Messages between the supervisor and its engine child, over the channel of child_process.fork with structured clones.
 * They speak of whole samples, and none is sent for a token; a message carries many where that saves messages. Each sample belongs to
 * a call (one `generate` of the supervisor's), and its id is unique within it.
 */

/** Supervisor to child. */
export type EngineRequest =
  | { type: 'load'; request: number; target: FrozenTarget }
  | { type: 'unload'; request: number; target: FrozenTarget }
  | { type: 'batch'; parts: BatchPart[] }
  /** The call is given up: no more results of it are wanted. */
  | { type: 'cancel'; call: number }
  | { type: 'close' };

export interface BatchPart {
  call: number;
  samples: SampleRequest[];
}

/** Child to supervisor. */
export type EngineReply =
  /** The first message. */
  | { type: 'ready'; credits: number }
  | { type: 'loaded'; request: number; loaded: LoadedTarget }
  | { type: 'unloaded'; request: number }
  | { type: 'refused'; request: number; error: WireError }
  | { type: 'results'; parts: ResultPart[] }
  /** So many samples of a cancelled call have ended without a result. */
  | { type: 'released'; call: number; samples: number }
  /** Work went on since the last message. */
  | { type: 'progress' };

export interface ResultPart {
  call: number;
  results: SampleResult[];
}

/** An error that crosses the channel; KilnErrors keep their code. */
export interface WireError {
  code: KilnError['code'];
  message: string;
  hint: string | null;
}

/** What came over the channel is no message of the protocol. The channel cannot be trusted any more. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
}

type Shape = Record<string, (value: unknown) => boolean>;

const isNumber = (value: unknown): boolean => Number.isSafeInteger(value);
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isSample = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  isObject(value['target']) &&
  Array.isArray(value['messages']) &&
  isObject(value['generation']);
const isResult = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['id'] === 'string' &&
  (value['ok'] === true ? isObject(value['trace']) : value['ok'] === false && isObject(value['error']));
const isParts = (list: string, isEntry: (value: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) &&
  value.every((part) => isObject(part) && isNumber(part['call']) && Array.isArray(part[list]) && part[list].every(isEntry));

const REQUESTS: Record<EngineRequest['type'], Shape> = {
  load: { request: isNumber, target: isObject },
  unload: { request: isNumber, target: isObject },
  batch: { parts: isParts('samples', isSample) },
  cancel: { call: isNumber },
  close: {},
};
const REPLIES: Record<EngineReply['type'], Shape> = {
  ready: { credits: isNumber },
  loaded: { request: isNumber, loaded: isObject },
  unloaded: { request: isNumber },
  refused: { request: isNumber, error: isObject },
  results: { parts: isParts('results', isResult) },
  released: { call: isNumber, samples: isNumber },
  progress: {},
};

/** @throws ProtocolError */
export function parseEngineRequest(message: unknown): EngineRequest {
  return parse<EngineRequest>(message, REQUESTS);
}

/** @throws ProtocolError */
export function parseEngineReply(message: unknown): EngineReply {
  return parse<EngineReply>(message, REPLIES);
}

function parse<T extends { type: string }>(message: unknown, shapes: Record<string, Shape>): T {
  const type = isObject(message) ? message['type'] : undefined;
  const shape = typeof type === 'string' && Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  if (shape === undefined) throw new ProtocolError(`unknown engine message ${JSON.stringify(type)}`);
  for (const [field, isValid] of Object.entries(shape)) {
    if (!isValid((message as Record<string, unknown>)[field]))
      throw new ProtocolError(`engine message ${type as string} has no valid ${field}`);
  }
  return message as T;
}
