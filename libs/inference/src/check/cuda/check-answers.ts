import { type FrozenModelTarget } from '@kiln/contracts';
import { type OnnxGeneratorOptions } from '../../onnx/onnx-generator.js';
import { answerGreedily, sameAnswer } from '../answer-greedily.js';
import { type Finding } from './device-check.js';

/** Of different lengths, so that rows are ragged. */
export const PROMPTS: readonly string[] = Array.from(
  { length: 24 },
  (_, index) => `${'please '.repeat(index % 5)}${37 + index * 11} + ${5 + index * 7}?`,
);

/** That a device gives the answers that the CPU gives. */
export async function checkAnswers(
  what: string,
  target: FrozenModelTarget,
  { modelDir, threads }: Pick<OnnxGeneratorOptions, 'modelDir' | 'threads'>,
  device: Pick<OnnxGeneratorOptions, 'provider' | 'backend'>,
): Promise<Finding> {
  const onCpu = await answerGreedily(target, PROMPTS, { modelDir, threads });
  const onDevice = await answerGreedily(target, PROMPTS, { modelDir, threads, ...device });
  const same = onCpu.filter((trace, index) => sameAnswer(trace, onDevice[index]!)).length;
  return {
    what: `${what} answers as on the CPU`,
    holds: same === PROMPTS.length,
    seen: `${same} of ${PROMPTS.length} answers are the same`,
  };
}
