import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Layer, isLayer } from './layers.js';

export const ROOT = path.resolve(import.meta.dirname, '../..');

export interface Project {
  readonly name: string;
  /** Folder, relative to the repository. */
  readonly folder: string;
  readonly layer: Layer | null;
  /** npm packages and projects of its package.json. */
  readonly dependencies: ReadonlySet<string>;
  readonly devDependencies: ReadonlySet<string>;
}

export interface ProjectGraph {
  readonly projects: ReadonlyMap<string, Project>;
  readonly edges: readonly { readonly from: string; readonly to: string }[];
}

interface NxGraphFile {
  graph: {
    nodes: Record<string, { data: { root: string; tags?: string[] } }>;
    dependencies: Record<string, { target: string }[]>;
  };
}

/**
 * The graph as Nx computes it from the workspace. Its edges are the declared dependencies; that every import is declared
 * is checked apart, because Nx's own search for imports needs the compiler API, which TypeScript 7 no longer has.
 */
export async function readProjectGraph(): Promise<ProjectGraph> {
  const folder = await mkdtemp(path.join(tmpdir(), 'kiln-nx-'));
  try {
    const file = path.join(folder, 'graph.json');
    await promisify(execFile)(process.execPath, [path.join(ROOT, 'node_modules/nx/dist/bin/nx.js'), 'graph', `--file=${file}`], {
      cwd: ROOT,
      env: { ...process.env, NX_DAEMON: 'false', NX_WORKSPACE_DATA_DIRECTORY: folder },
    });
    const { nodes, dependencies } = (JSON.parse(await readFile(file, 'utf8')) as NxGraphFile).graph;
    const projects = new Map<string, Project>();
    for (const [name, { data }] of Object.entries(nodes)) projects.set(name, await readProject(name, data.root, data.tags ?? []));
    const edges = Object.entries(dependencies).flatMap(([from, targets]) => targets.map(({ target: to }) => ({ from, to })));
    return { projects, edges };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function readProject(name: string, folder: string, tags: readonly string[]): Promise<Project> {
  const manifest = JSON.parse(await readFile(path.join(ROOT, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  const layers = tags.filter((tag) => tag.startsWith('layer:')).map((tag) => tag.slice('layer:'.length));
  const [layer] = layers;
  return {
    name,
    folder,
    layer: layers.length === 1 && layer !== undefined && isLayer(layer) ? layer : null,
    dependencies: new Set(Object.keys(manifest.dependencies ?? {})),
    devDependencies: new Set(Object.keys(manifest.devDependencies ?? {})),
  };
}
