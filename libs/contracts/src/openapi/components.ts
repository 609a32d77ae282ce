import { z } from 'zod';
import { type Direction, type JsonSchema, toJsonSchema } from './json-schema.js';

/** Ends the name of a component that describes only what may be sent. */
export const INPUT_SUFFIX = 'Input';

const DEFS = '#/$defs/';
const COMPONENTS = '#/components/schemas/';

/**
 * Gathers named schemas of requests and answers into one set of components. Where the two directions of a schema differ
 * (fields with a default may be left out of a request but are always answered), the request's form is named `…Input`.
 */
export class Components {
  readonly #defs: Record<Direction, Map<string, JsonSchema>> = { input: new Map(), output: new Map() };

  /** JSON Schema of `schema` for use inside the document; its named parts are kept for {@link all}. */
  add(schema: z.ZodType, direction: Direction): JsonSchema {
    // Wrapped, so that a schema that is named itself becomes a reference too.
    const wrapped = toJsonSchema(z.object({ root: schema }), direction);
    const defs = (wrapped['$defs'] ?? {}) as Record<string, JsonSchema>;
    for (const [id, definition] of Object.entries(defs)) {
      const { id: _, ...rest } = definition;
      this.#defs[direction].set(id, rest);
    }
    const root = (wrapped['properties'] as Record<string, JsonSchema>)['root'] ?? {};
    return markDirection(root, direction);
  }

  /** All components by name, and the document's own references resolved to them. */
  finish(document: JsonSchema): { document: JsonSchema; schemas: Record<string, JsonSchema> } {
    const differing = this.#differing();
    const name = (id: string, direction: Direction): string => (direction === 'input' && differing.has(id) ? `${id}${INPUT_SUFFIX}` : id);
    const schemas: Record<string, JsonSchema> = {};
    for (const direction of ['output', 'input'] as const) {
      for (const [id, definition] of this.#defs[direction]) {
        schemas[name(id, direction)] ??= resolve(markDirection(definition, direction), name) as JsonSchema;
      }
    }
    const sorted = Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    return { document: resolve(document, name) as JsonSchema, schemas: sorted };
  }

  /** Ids whose two forms differ, themselves or through something that they refer to. */
  #differing(): Set<string> {
    const { input, output } = this.#defs;
    const shared = [...input.keys()].filter((id) => output.has(id));
    const differing = new Set(shared.filter((id) => JSON.stringify(input.get(id)) !== JSON.stringify(output.get(id))));
    for (let grew = true; grew;) {
      grew = false;
      for (const id of shared) {
        const text = JSON.stringify(input.get(id));
        if (differing.has(id) || ![...differing].some((other) => text.includes(`"${DEFS}${other}"`))) continue;
        differing.add(id);
        grew = true;
      }
    }
    return differing;
  }
}

/** Until all components are known, a reference carries its direction: `#/$defs/input:Suite`. */
function markDirection(node: JsonSchema, direction: Direction): JsonSchema {
  return mapRefs(node, (ref) => (ref.startsWith(DEFS) ? `${DEFS}${direction}:${ref.slice(DEFS.length)}` : ref)) as JsonSchema;
}

function resolve(node: unknown, name: (id: string, direction: Direction) => string): unknown {
  return mapRefs(node, (ref) => {
    const match = /^#\/\$defs\/(input|output):(.+)$/.exec(ref);
    return match?.[2] === undefined ? ref : `${COMPONENTS}${name(match[2], match[1] as Direction)}`;
  });
}

function mapRefs(node: unknown, change: (ref: string) => string): unknown {
  if (Array.isArray(node)) return node.map((item) => mapRefs(item, change));
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === '$ref' && typeof value === 'string' ? change(value) : mapRefs(value, change)]),
  );
}
