import { readFile, readdir } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { type Project, ROOT } from './project-graph.js';

export interface SourceFile {
  /** Relative to the repository. */
  readonly file: string;
  readonly isTest: boolean;
  /** Module specifiers as written. */
  readonly imports: readonly string[];
}

const IMPORTS = [
  /^[ \t]*(?:import|export)\s[^;'"]*?\bfrom\s*['"]([^'"]+)['"]/gm,
  /^[ \t]*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g,
];

/** Every module specifier in a TypeScript source text: static, for side effects, re-exports, dynamic and in types. */
export function importsOf(source: string): string[] {
  return IMPORTS.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1] ?? ''));
}

/** The sources of a project, its tests included. */
export async function sourcesOf(project: Project): Promise<SourceFile[]> {
  const folder = path.join(ROOT, project.folder, 'src');
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith('.ts'));
  return Promise.all(
    files.map(async (name) => ({
      file: path.join(project.folder, 'src', name),
      isTest: isTestFile(name),
      imports: importsOf(await readFile(path.join(folder, name), 'utf8')),
    })),
  );
}

/** Tests, and what only tests load: fixtures and set-up. */
export function isTestFile(name: string): boolean {
  return /\.(spec|fixture|global)\.ts$/.test(name);
}

/** What is wrong with one import of a file, or null. */
export function flawOfImport(project: Project, file: SourceFile, specifier: string): string | null {
  if (specifier.startsWith('.')) {
    const target = path.normalize(path.join(path.dirname(file.file), specifier));
    return target.startsWith(`${project.folder}${path.sep}`) ? null : 'leaves its project by a relative path';
  }
  if (specifier.startsWith('node:')) return null;
  if (builtinModules.includes(specifier)) return 'names a module of Node without node:';
  const name = specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
  if (name === project.name || project.dependencies.has(name)) return null;
  if (file.isTest) return project.devDependencies.has(name) || ROOT_TEST_PACKAGES.has(name) ? null : 'is not declared in package.json';
  return project.devDependencies.has(name) ? 'is declared for development only' : 'is not declared in package.json';
}

/** Test tools that the root package.json has for every project. */
const ROOT_TEST_PACKAGES = new Set(['vitest', 'fast-check']);
