import { type LoadedTarget } from '../generator.js';
import { type EngineCall } from './engine-call.js';
import { type EngineChildProcess } from './engine-child-process.js';

/** A child and what it holds. Replaced as a whole when it ends. */
export interface LiveChild {
  readonly process: EngineChildProcess;
  /** Samples that it is willing to hold; 0 until it is ready. */
  credits: number;
  /** Acknowledged and pending loads by target. */
  readonly loads: Map<string, Promise<LoadedTarget>>;
  /** Calls whose targets are loaded, in the order of their turns. */
  readonly calls: Map<number, EngineCall>;
  /** Cancelled calls, with the number of their samples that still hold a credit. */
  readonly cancelled: Map<number, { call: EngineCall; samples: number }>;
}
