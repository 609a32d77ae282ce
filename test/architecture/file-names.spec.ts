import { describe, expect, it } from 'vitest';
import { readProjectGraph } from './project-graph.js';
import { sourcesOf } from './source-imports.js';

/** Names that say nothing about what is inside, so anything ends up there. */
const EMPTY_NAME = /(^|[/.-])(utils?|helpers?|commons?|managers?|misc|stuff|shared|lib)([/.-]|$)/;

describe('file names', () => {
  it('say what is inside', async () => {
    const { projects } = await readProjectGraph();
    const files = (await Promise.all([...projects.values()].map(sourcesOf))).flat();
    const vague = files.map(({ file }) => file).filter((file) => EMPTY_NAME.test(file.replace(/^(libs|apps)\/[^/]+\/src\//, '')));
    expect(vague).toEqual([]);
  }, 60_000);
});
