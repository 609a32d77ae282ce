import { beforeAll, describe, expect, it } from 'vitest';
import { LAYERS, mayDepend } from './layers.js';
import { type Project, type ProjectGraph, readProjectGraph } from './project-graph.js';
import { flawOfImport, importsOf, sourcesOf } from './source-imports.js';

describe('the project graph', () => {
  let graph: ProjectGraph;

  beforeAll(async () => {
    graph = await readProjectGraph();
  }, 60_000);

  it('gives every project exactly one known layer', () => {
    const without = [...graph.projects.values()].filter(({ layer }) => layer === null).map(({ name }) => name);
    expect(without).toEqual([]);
    expect(graph.projects.size).toBeGreaterThan(10);
  });

  it('has only edges that the layers allow', () => {
    expect(graph.edges.length).toBeGreaterThan(20);
    expect(forbiddenEdges(graph)).toEqual([]);
  });

  it('has an edge for every import of every source file', async () => {
    const flaws: string[] = [];
    for (const project of graph.projects.values()) {
      for (const file of await sourcesOf(project)) {
        for (const specifier of file.imports) {
          const flaw = flawOfImport(project, file, specifier);
          if (flaw !== null) flaws.push(`${file.file}: ${specifier} ${flaw}`);
        }
      }
    }
    expect(flaws).toEqual([]);
  });

  it('has no edge that no source file uses', async () => {
    const unused: string[] = [];
    for (const project of graph.projects.values()) {
      const sources = await sourcesOf(project);
      const used = new Set(sources.flatMap(({ imports }) => imports));
      for (const { from, to } of graph.edges) if (from === project.name && !used.has(to)) unused.push(`${from} → ${to}`);
    }
    expect(unused).toEqual([]);
  });

  it('would notice an adapter that depends on another, and an app on an app', () => {
    const edges = [
      { from: '@kiln/database', to: '@kiln/queue' },
      { from: '@kiln/api', to: '@kiln/worker' },
      { from: '@kiln/statistics', to: '@kiln/contracts' },
    ];
    expect(forbiddenEdges({ ...graph, edges })).toHaveLength(3);
  });
});

describe('mayDepend', () => {
  it('leads to the testing library from tests only', () => {
    expect(mayDepend('app', 'testing', true)).toBe(true);
    expect(mayDepend('app', 'testing', false)).toBe(false);
  });

  it('lets no layer but pure ones and services know its own kind', () => {
    const layers = Object.keys(LAYERS) as (keyof typeof LAYERS)[];
    expect(layers.filter((layer) => layer !== 'testing' && mayDepend(layer, layer, false))).toEqual(['pure', 'service']);
  });
});

describe('importsOf', () => {
  it('finds every form of import', () => {
    const source = `
      import pg from 'pg';
      import {
        type A,
        b,
      } from '@kiln/contracts';
      import 'reflect-metadata';
      export * from './x.js';
      export { y } from './y.js';
      const z = await import('./z.js');
      type T = import('./t.js').T;
      // A word like import in a comment, and 'from' "here", count for nothing.
    `;
    expect(importsOf(source).toSorted()).toEqual(
      ['pg', '@kiln/contracts', 'reflect-metadata', './x.js', './y.js', './z.js', './t.js'].toSorted(),
    );
  });
});

describe('flawOfImport', () => {
  const project: Project = {
    name: '@kiln/queue',
    folder: 'libs/queue',
    layer: 'adapter',
    dependencies: new Set(['bullmq', '@kiln/contracts']),
    devDependencies: new Set(['@types/pg', '@kiln/testing']),
  };
  const source = { file: 'libs/queue/src/deep/open.ts', isTest: false, imports: [] };
  const test = { ...source, file: 'libs/queue/src/open.spec.ts', isTest: true };

  it.each(['../shard.js', 'node:fs', 'bullmq', '@kiln/contracts', '@kiln/queue'])('accepts %s', (specifier) => {
    expect(flawOfImport(project, source, specifier)).toBeNull();
  });

  it.each(['../../../database/src/index.js', 'fs', 'ioredis', '@kiln/database', '@kiln/testing', 'vitest'])('refuses %s', (specifier) => {
    expect(flawOfImport(project, source, specifier)).not.toBeNull();
  });

  it.each(['@kiln/testing', 'vitest', 'fast-check'])('accepts %s in a test', (specifier) => {
    expect(flawOfImport(project, test, specifier)).toBeNull();
  });
});

function forbiddenEdges({ projects, edges }: ProjectGraph): string[] {
  return edges
    .filter(({ from, to }) => {
      const [source, target] = [projects.get(from), projects.get(to)];
      if (!source?.layer || !target?.layer) return true;
      return !mayDepend(source.layer, target.layer, source.devDependencies.has(to));
    })
    .map(({ from, to }) => `${from} → ${to}`);
}
