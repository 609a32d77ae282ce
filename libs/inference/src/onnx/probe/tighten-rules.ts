import { type DecodeRules } from '../decode/decode-rules.js';
import { type ProbeVerdict } from './probe-verdict.js';

/** The rules, but never looser than what was measured allows. What holds by the graph's operators stays, whatever a probe did not see. */
export function tightenRules(rules: DecodeRules, { minRows, maxRows, exactPrefill }: ProbeVerdict): DecodeRules {
  const most = Math.min(rules.maxRows, maxRows ?? Infinity);
  return {
    ...rules,
    minRows: Math.min(Math.max(rules.minRows, minRows), most),
    maxRows: most,
    reuse: rules.reuse === 'anywhere' && exactPrefill ? 'chunks' : rules.reuse,
  };
}
