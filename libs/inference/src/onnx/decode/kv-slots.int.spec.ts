import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openOrtSession } from '../../ort/open-ort-session.js';
import { ELEMENTS } from '../../ort/ort-element.js';
import { type OrtSession } from '../../ort/ort-session.js';
import { uploadTensor } from '../../ort/upload-tensor.js';
import { GENERATED_LAYOUTS } from '../../testing/graphs/generated-layouts.fixture.js';
import { writeGeneratedModel } from '../../testing/graphs/write-generated-model.js';
import { MODELS } from '../../testing/onnx-target.fixture.js';
import { summariseGraph } from '../graph-summary.js';
import { type DecoderLayout } from '../decoder-layout.js';
import { readModelDirectory } from '../model-directory.js';
import { decodeRules } from './decode-rules.js';
import { KvSlots, slotBytes, type SlotShape } from './kv-slots.js';

const GRAPH = join(MODELS, 'tiny-arith-plain/onnx/model.onnx');
const SHAPE = { slots: 3, width: 8 };

it('a slot holds nothing of what a device had in its memory, once a row begins in it or is copied to it', async () => {
  const { layout } = await summariseGraph(GRAPH);
  const session = await openOrtSession(GRAPH, { threads: 1, provider: { kind: 'cpu', asDevice: true } });
  const slots = new KvSlots(session, layout, decodeRules(layout, { onDevice: true, maxBatch: 3 }), SHAPE);
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

describe('slotBytes', () => {
  const folders: string[] = [];
  afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

  /** What slots really take, by the tensors that are made for them. */
  function allocated(session: OrtSession, layout: DecoderLayout, maxBatch: number, shape: SlotShape): { bytes: number; perSlot: number } {
    let bytes = 0;
    const counting = Object.create(session) as OrtSession;
    counting.newDeviceTensor = (type, dims) => {
      bytes += dims.reduce((product, size) => product * size, ELEMENTS[type].bytes);
      return session.newDeviceTensor(type, dims);
    };
    const rules = decodeRules(layout, { onDevice: false, maxBatch });
    new KvSlots(counting, layout, rules, shape).release();
    return { bytes, perSlot: slotBytes(layout, rules, shape.width) };
  }

  it.each(['gqa', 'gqa-fp16', 'plain', 'hybrid', 'hybrid-genai'])('%s: is what slots take', async (name) => {
    const folder = await mkdtemp(join(tmpdir(), 'kiln-slots-'));
    folders.push(folder);
    await writeGeneratedModel(folder, GENERATED_LAYOUTS[name]!);
    const { graphPath, portNames } = await readModelDirectory(folder);
    const { layout } = await summariseGraph(graphPath, portNames);
    const session = await openOrtSession(graphPath, { threads: 1 });
    for (const shape of [
      { slots: 2, width: 64 },
      { slots: 32, width: 48 },
    ]) {
      const { bytes, perSlot } = allocated(session, layout, 32, shape);
      expect(bytes, JSON.stringify(shape)).toBe(shape.slots * perSlot);
    }
    // Without positions nothing hides a hole, and one row is read at a time.
    if (layout.attention !== 'gqa') {
      const { bytes, perSlot } = allocated(session, { ...layout, positionIds: null }, 32, { slots: 1, width: 64 });
      expect(bytes).toBe(perSlot);
    }
    await session.close();
  });
});
