import { type BatchAdapter } from '../decode/decode-batch.js';
import { type DecodeRules } from '../decode/decode-rules.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { type PeftAdapter } from '../lora/peft-adapter.js';
import { type OrtSession } from '../../ort/ort-session.js';

/** A loaded model, as far as a probe uses it. */
export interface ProbedModel {
  readonly session: OrtSession;
  readonly layout: DecoderLayout;
  /** By the graph, the provider and the number of samples, and by what a probe before has found. */
  readonly rules: DecodeRules;
  readonly takesAdapters: boolean;
  adapter(key: string | null, read: () => Promise<PeftAdapter>): Promise<BatchAdapter>;
  dropAdapter(key: string): void;
}
