import { type EvalConfig, type EvalTypeProperties, type OutputScore, type ScoreType } from '@kiln/contracts';
import { scorerRefusal } from '../scorer-refusal.js';

type LlmJudgeType = Extract<EvalTypeProperties, { type: 'llm_judge' }>;

/** What a template may print, without white space around it, and the placeholder of ours that shows the same. */
const PRINTED: ReadonlyMap<string, string> = new Map([
  ['final_message', '{answer}'],
  ['task_input', '{question}'],
  ['reference_data.reference_answer', '{target}'],
  ["reference_data['reference_answer']", '{target}'],
  ['reference_data["reference_answer"]', '{target}'],
]);

/** What the judge is asked to end with, so that the default score_regex reads a number from 0 to 1. */
const SCALES: { readonly [type in ScoreType]: string } = {
  pass_fail: '"Score: 1" if it passes, "Score: 0" if it fails',
  pass_fail_critical: '"Score: 1" if it passes, "Score: 0.25" if it fails, "Score: 0" if it fails critically',
  five_star: '"Score: 0" for one star, "Score: 0.25" for two, "Score: 0.5" for three, "Score: 0.75" for four, "Score: 1" for five',
};

/**
 * Template and system prompt of the internal llm_judge for one of §4.3: `{{ final_message }}` becomes `{answer}` and so on.
 * Our judges see the question, the target and the answer, and give one score.
 *
 * @throws KilnError for a template that prints anything else or has statements, for other reference keys, for several scores.
 */
export function judgeTemplate(
  properties: LlmJudgeType,
  scores: EvalConfig['output_scores'],
  path: string,
): { template: string; system_prompt: string | null } {
  const [score, ...others] = scores;
  if (score === undefined || others.length > 0) {
    throw scorerRefusal(`${path}.output_scores`, 'must be one score: a judge is asked for one', 'Write a configuration for each score.');
  }
  const foreign = properties.reference_keys.findIndex((key) => key !== 'reference_answer');
  if (foreign >= 0) {
    throw scorerRefusal(
      `${path}.properties.reference_keys[${foreign}]`,
      'is not shown to judges; they see reference_answer, which is the target of the example',
      'Put what the judge needs into the target.',
    );
  }
  const parts = [printed(properties, path), scoreRequest(score)];
  return {
    template: parts.join('\n\n'),
    system_prompt: [properties.system_prompt, properties.thinking_instruction].filter((text) => text !== null).join('\n\n') || null,
  };
}

function printed({ prompt_template: source, judge_instructions }: LlmJudgeType, path: string): string {
  const instructions = literal((judge_instructions ?? []).map((step, index) => `${index + 1}. ${step}`).join('\n'));
  if (/\{[%#]/.test(source)) {
    throw scorerRefusal(`${path}.properties.prompt_template`, 'has statements or comments', 'Write text and {{ names }} only.');
  }
  let printsInstructions = false;
  const pieces = source.split(/(\{\{[^{}]*\}\})/).map((piece, index) => {
    if (index % 2 === 0) return literal(piece);
    const name = piece.slice(2, -2).replace(/^-|-$/g, '').trim();
    if (name === 'judge_instructions') {
      printsInstructions = true;
      return instructions;
    }
    const placeholder = PRINTED.get(name);
    if (placeholder !== undefined) return placeholder;
    throw scorerRefusal(
      `${path}.properties.prompt_template`,
      `prints ${piece}, which judges are not shown`,
      'They see {{ final_message }}, {{ task_input }} and {{ reference_data.reference_answer }}.',
    );
  });
  return [pieces.join(''), ...(printsInstructions || instructions === '' ? [] : [instructions])].join('\n\n');
}

/** Text that happens to look like a placeholder of ours gets spaces, as the refusal of unknown ones advises. */
function literal(text: string): string {
  return text.replace(/\{([A-Za-z_]\w*)\}/g, '{ $1 }');
}

function scoreRequest({ name, type }: OutputScore): string {
  return literal(`Judge "${name}". End your reply with one line: ${SCALES[type]}.`);
}
