// Generates with @huggingface/transformers. What it reads and writes: src/engine/program-contender.ts.
import { Console } from 'node:console';
import { createInterface } from 'node:readline';
import path from 'node:path';
import { AutoModelForCausalLM, env, Tensor } from '@huggingface/transformers';

// Standard output is for answers.
globalThis.console = new Console(process.stderr);

const [modelPath] = process.argv.slice(2);
env.allowRemoteModels = false;
env.localModelPath = `${path.dirname(modelPath)}/`;
const model = await AutoModelForCausalLM.from_pretrained(path.basename(modelPath), {
  dtype: 'fp32',
  device: 'cpu',
  session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
});
write({ ready: env.version });

for await (const line of createInterface({ input: process.stdin })) {
  const { prompts, max_tokens: maxTokens, rows } = JSON.parse(line);
  const [cpuBefore, from] = [process.cpuUsage(), performance.now()];
  const tokens = [];
  for (let start = 0; start < prompts.length; start += rows) {
    tokens.push(...(await generate(prompts.slice(start, start + rows), maxTokens.slice(start, start + rows))));
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  write({ tokens, cpu_s: (user + system) / 1e6, wall_s: (performance.now() - from) / 1000 });
}

/** One batch of prompts of the same length, until its longest answer is complete; rows that are complete are carried along. */
async function generate(prompts, maxTokens) {
  const dims = [prompts.length, prompts[0].length];
  const input_ids = new Tensor('int64', BigInt64Array.from(prompts.flat(), BigInt), dims);
  const attention_mask = new Tensor('int64', new BigInt64Array(dims[0] * dims[1]).fill(1n), dims);
  const output = await model.generate({ input_ids, attention_mask, max_new_tokens: Math.max(...maxTokens), do_sample: false });
  const length = output.dims[1];
  return maxTokens.map((count, row) => Array.from(output.data.subarray(row * length + dims[1], row * length + dims[1] + count), Number));
}

function write(value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}
