import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { modelPath, modelVariant } from './model-path.js';

let modelDir: string;
beforeAll(async () => {
  modelDir = await mkdtemp(join(tmpdir(), 'kiln-paths-'));
  await mkdir(join(modelDir, 'acme', 'chat-1.5'), { recursive: true });
});
afterAll(() => rm(modelDir, { recursive: true }));

describe('modelPath', () => {
  it('is the directory of a model, whichever of its graphs is meant', async () => {
    for (const model of ['acme/chat-1.5', 'acme/chat-1.5@q4']) {
      expect(await modelPath(modelDir, model)).toBe(join(modelDir, 'acme', 'chat-1.5'));
    }
    expect(['acme/chat-1.5', 'acme/chat-1.5@q4'].map(modelVariant)).toEqual([null, 'q4']);
  });

  it.each(['acme/chat-1.5@', 'acme/chat-1.5@q4@q8', 'acme@q4/chat-1.5', '@q4', '../x', 'acme/chat-1.5@../x', 'missing'])(
    'leads nowhere for %s',
    async (model) => {
      await expect(modelPath(modelDir, model)).rejects.toMatchObject({ code: 'model_not_found' });
    },
  );
});
