import { declaredScore, type EvalConfig, formatPath, parseWith, Scorer } from '@kiln/contracts';
import { judgeTemplate } from './judge-template.js';

/**
 * The scorer that an eval configuration (contracts.md §4.3) stands for.
 *
 * @param at where the configuration stands, for refusals
 * @throws KilnError when the scorer cannot say what the configuration does: bounds that exclude each other, a judge that is to
 *   be shown more than the question, the target and the answer.
 */
export function scorerOfEvalConfig(config: EvalConfig, at: readonly PropertyKey[] = ['eval_config']): Scorer {
  return parseWith(Scorer, written(config, at), 'eval configuration', { at: [...at, 'properties'] });
}

function written({ properties, output_scores: scores }: EvalConfig, at: readonly PropertyKey[]): object {
  const { type: kind, ...fields } = properties;
  switch (properties.type) {
    case 'exact_match':
      return { kind, ...fields, strip_whitespace: false };
    case 'contains': {
      const { substring, mode, ...others } = properties;
      return { ...others, kind, phrases: substring === null ? [] : [substring], mode: mode === 'must_contain' ? 'any' : 'none' };
    }
    case 'code_eval':
      return { kind, ...fields, scores: scores.map(declaredScore) };
    case 'llm_judge':
      return { kind, judge_model: properties.model_name, ...judgeTemplate(properties, scores, formatPath(at)) };
    default:
      return { kind, ...fields };
  }
}
