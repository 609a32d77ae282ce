import { type PeftAdapter } from '../../onnx/lora/peft-adapter.js';
import { type ProbedModel } from '../../onnx/probe/probed-model.js';
import { type Finding } from './device-check.js';

const KEY = 'where adapters are';

/** That an adapter is moved to the device once, and not with each run. */
export async function checkAdapterMemory(model: ProbedModel, read: () => Promise<PeftAdapter>): Promise<Finding> {
  const { feeds } = await model.adapter(KEY, read);
  const memories = new Set(Object.values(feeds).map(({ memory }) => memory));
  model.dropAdapter(KEY);
  return {
    what: 'adapters are in the memory of the device',
    holds: memories.size === 1 && memories.has('device'),
    seen: `${Object.keys(feeds).length} matrices in memory of the kind ${[...memories].join(', ') || 'none'}`,
  };
}
