import { type DecodeRules } from '../onnx/decode/decode-rules.js';
import { type Clock } from './clock.js';
import { type MachineLimits } from './machine-limits.js';
import { type ProbeMeasurements } from '../onnx/probe/probe-measurements.js';
import { type ProbeVerdict } from '../onnx/probe/probe-verdict.js';

/** What `kiln models check` found in a directory. */
export interface ModelsCheck {
  /** null: there was nothing to measure it for. */
  readonly machine: MachineFacts | null;
  readonly models: readonly ModelCheck[];
  /** What looks like a model or an adapter and cannot be served; `path` within the directory. */
  readonly rejected: readonly { path: string; reason: string }[];
  /** There is a model, nothing was rejected, and no model has a flaw. */
  readonly ok: boolean;
}

export interface MachineFacts extends MachineLimits {
  readonly processor: string;
  readonly threads: number;
  /** What times and limits were measured with. */
  readonly clock: Clock;
}

export interface ModelCheck {
  readonly model: string;
  readonly adapter: string | null;
  readonly modelDigest: string;
  readonly tokenizerDigest: string;
  readonly templateDigest: string;
  readonly adapterDigest: string | null;
  readonly adapters: readonly string[];
  readonly contextTokens: number | null;
  /** null: it could not be loaded. */
  readonly layout: LayoutFacts | null;
  readonly probe: (ProbeVerdict & { readonly measured: ProbeMeasurements }) | null;
  readonly rules: DecodeRules | null;
  readonly answer: AnswerCheck | null;
  readonly speed: readonly SpeedCheck[];
  /** Why it cannot be served, or not as it should. */
  readonly flaws: readonly string[];
}

/** A graph in the words of docs/models.md. */
export interface LayoutFacts {
  readonly graph: string;
  readonly weightBytes: number;
  readonly attention: 'GroupQueryAttention' | 'in parts';
  readonly quantisation: string | null;
  readonly cacheType: string;
  readonly cacheBytesPerToken: number;
  readonly cacheInPlace: boolean;
  /** Layers with convolution or recurrent state. */
  readonly stateLayers: number;
}

/** A greedy answer to a fixed prompt. */
export interface AnswerCheck {
  readonly prompt: string;
  readonly text: string;
  readonly tokens: number;
  readonly backend: 'ort-c' | 'ort-js';
  /** Both backends answer the same, in bytes and tokens; null = there is only one. */
  readonly backendsEqual: boolean | null;
}

export interface SpeedCheck {
  readonly rows: number;
  readonly context: number;
  readonly tokensPerS: number;
  /** What the machine could do at most, by what was measured of it. */
  readonly limitTokensPerS: number;
  readonly bound: 'bandwidth' | 'compute';
}
