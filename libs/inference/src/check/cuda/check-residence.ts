import { SlotDecoder } from '../../onnx/decode/slot-decoder.js';
import { type OrtSession, type OrtTensor } from '../../ort/ort-session.js';
import { type ProbedModel } from '../../onnx/probe/probed-model.js';
import { type Finding } from './device-check.js';

const ROWS = 2;
const WIDTH = 32;
const LENGTH = 5;

/**
 * Where keys and values are, and that a step changes nothing of them but the column that it adds. For graphs whose operators write in place,
 * the memory that is written is the memory that is read.
 */
export async function checkResidence(model: ProbedModel): Promise<Finding[]> {
  const { session, layout, rules } = model;
  const rows = Math.min(ROWS, rules.maxRows);
  const { feeds } = await model.adapter(null, async () => new Map());
  const decoder = new SlotDecoder(session, layout, rules, { slots: rows, width: WIDTH });
  const run = { adapter: feeds, signal: new AbortController().signal };
  try {
    const lengths = Array.from({ length: rows }, () => LENGTH);
    const tokens = Array.from({ length: LENGTH }, (_, index) => (index * 31 + 7) % layout.logits.vocabulary!);
    for (let slot = 0; slot < rows; slot++) {
      await decoder.slots.reset(slot);
      await decoder.prefill(slot, tokens, 0, { temperature: 0 }, run);
    }
    const ports = decoder.slots.ports(0, rows, lengths, 1);
    const [port] = layout.cache;
    const memories = new Set(layout.cache.map(({ past }) => ports.feeds[past]!.memory));
    const inPlace = layout.cache.filter(({ past, present }) => ports.feeds[past] === ports.fetches[present]).length;
    const findings: Finding[] = [
      {
        what: 'keys and values are in the memory of the device',
        holds: memories.size === 1 && memories.has('device'),
        seen: `${layout.cache.length} tensors in memory of the kind ${[...memories].join(', ')}`,
      },
      {
        what: 'the graph reads and writes them in one place',
        holds: layout.sharesBuffer && inPlace === layout.cache.length,
        seen: `${inPlace} of ${layout.cache.length}`,
      },
    ];
    if (rules.past !== 'slots') return findings;
    const before = await snapshot(session, ports.feeds[port!.past]!);
    await decoder.step(
      lengths.map((length) => ({ token: tokens[0]!, length, temperature: 0 })),
      run,
    );
    const after = await snapshot(session, ports.feeds[port!.past]!);
    const column = (index: number) => Math.floor(index / port!.headSize) % WIDTH;
    const changed = new Set(after.flatMap((bits, index) => (bits === before[index] ? [] : [column(index)])));
    return [
      ...findings,
      {
        what: 'a step adds a column there, and touches no other',
        holds: changed.size === 1 && changed.has(LENGTH),
        seen: `columns ${[...changed].join(', ') || 'none'} changed; the rows held ${LENGTH}`,
      },
    ];
  } finally {
    decoder.release();
  }
}

/** The bits of a tensor, wherever it is. */
async function snapshot(session: OrtSession, tensor: OrtTensor): Promise<number[]> {
  const copy = session.newTensor(tensor.type, tensor.shape);
  try {
    await session.copy(tensor, copy);
    const { data } = copy;
    return data instanceof Float32Array ? [...new Uint32Array(data.buffer, data.byteOffset, data.length)] : [...(data as Uint16Array)];
  } finally {
    copy.release();
  }
}
