import { type z } from 'zod';
import { type Route } from '../routes/route.js';
import { type Components } from './components.js';
import { type JsonSchema } from './json-schema.js';

/** OpenAPI's parameter objects for the path, query and header fields of `route`. */
export function parametersOf(route: Route, components: Components): JsonSchema[] {
  return [
    ...fields(route.params, 'path', components),
    ...fields(route.query, 'query', components),
    ...fields(route.headers, 'header', components),
  ];
}

function fields(object: z.ZodObject | null, place: 'path' | 'query' | 'header', components: Components): JsonSchema[] {
  if (!object) return [];
  return Object.entries(object.shape).map(([name, field]) => {
    const { description, ...schema } = components.add(field as z.ZodType, 'input');
    return {
      name: place === 'header' ? headerName(name) : name,
      in: place,
      required: place === 'path',
      ...(description === undefined ? {} : { description }),
      schema,
    };
  });
}

/** `idempotency-key` → `Idempotency-Key`. */
function headerName(name: string): string {
  return name.replaceAll(/(?:^|-)[a-z]/g, (letter) => letter.toUpperCase());
}
