import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { uploadTensor } from '../../ort/upload-tensor.js';
import { MODELS } from '../../testing/onnx-target.fixture.js';
import { summariseGraph } from '../graph-summary.js';
import { decodeRules } from './decode-rules.js';
import { KvSlots } from './kv-slots.js';

const GRAPH = join(MODELS, 'tiny-arith-plain/onnx/model.onnx');
const SHAPE = { slots: 3, width: 8 };

it('a slot holds nothing of what a device had in its memory, once a row begins in it or is copied to it', async () => {
  const { layout } = await summariseGraph(GRAPH);
  const session = await openOrtSession(GRAPH, { threads: 1, provider: { kind: 'cpu', asDevice: true } });
  const slots = new KvSlots(session, layout, decodeRules(layout, { onDevice: true, maxRows: 3 }), SHAPE);
  const [port] = layout.cache;
  const memory = slots.ports(0, 3, [0, 0, 0], 1).feeds[port!.past]!;
  const elements = memory.shape.reduce((product, size) => product * size, 1);
  const fill = async (value: number) => {
    const tensor = await uploadTensor(session, 'float32', memory.shape, new Float32Array(elements).fill(value));
    await session.copy(tensor, memory);
  };
  /** What each slot is full of; null: different values. */
  const contents = async () => {
    const copy = session.newTensor('float32', [SHAPE.slots, elements / SHAPE.slots]);
    await session.copy(memory, copy);
    return Array.from({ length: SHAPE.slots }, (_, slot) => {
      const values = new Set(copy.data.subarray((slot * elements) / SHAPE.slots, ((slot + 1) * elements) / SHAPE.slots));
      return values.size === 1 ? [...values][0] : null;
    });
  };
  await fill(NaN);
  await slots.reset(0);
  expect(await contents()).toEqual([0, NaN, NaN]);
  await slots.copyPrefix(0, 2, 4);
  expect(await contents()).toEqual([0, NaN, 0]);
  // What a row leaves behind is harmless, and clearing it for the next one would cost more than it is worth.
  await fill(7);
  for (const slot of [0, 1, 2]) await slots.reset(slot);
  expect(await contents()).toEqual([7, 0, 7]);
  slots.release();
  await session.close();
});
