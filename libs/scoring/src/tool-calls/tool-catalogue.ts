import { type Tool } from '@kiln/contracts';
import { isArguments, ownMember, type ArgumentValue, type Arguments } from './argument-value.js';

/** What a tool's schema says of its arguments. */
export interface ToolParameters {
  /** Schema by name; null when the tool lists none. */
  readonly properties: ReadonlyMap<string, ArgumentValue> | null;
  readonly required: readonly string[];
  /** Arguments that are not listed are allowed. */
  readonly isOpen: boolean;
}

export interface ToolCatalogue {
  /** Names as they are written. */
  readonly names: readonly string[];
  /** The parameters of the tool of that name, else of the first that differs from it in case only; null for an unknown tool. */
  find(name: string): ToolParameters | null;
}

const catalogues = new WeakMap<readonly Tool[], ToolCatalogue>();
const EMPTY: ToolCatalogue = { names: [], find: () => null };

/** Reads a catalogue of OpenAI-shaped and bare tools. Examples of a suite share theirs, so that each is read once. */
export function toolCatalogue(tools: readonly Tool[] | null): ToolCatalogue {
  if (tools === null || tools.length === 0) return EMPTY;
  let catalogue = catalogues.get(tools);
  if (!catalogue) catalogues.set(tools, (catalogue = readCatalogue(tools)));
  return catalogue;
}

function readCatalogue(tools: readonly Tool[]): ToolCatalogue {
  const exact = new Map<string, ToolParameters>();
  const folded = new Map<string, ToolParameters>();
  for (const tool of tools) {
    const inner = ownMember(tool as Arguments, 'function');
    const definition = isArguments(inner) ? inner : (tool as Arguments);
    const name = ownMember(definition, 'name');
    if (typeof name !== 'string') continue;
    const parameters = readParameters(ownMember(definition, 'parameters') ?? ownMember(definition, 'input_schema'));
    if (!exact.has(name)) exact.set(name, parameters);
    if (!folded.has(name.toLowerCase())) folded.set(name.toLowerCase(), parameters);
  }
  return { names: [...exact.keys()], find: (name) => exact.get(name) ?? folded.get(name.toLowerCase()) ?? null };
}

function readParameters(schema: ArgumentValue | undefined): ToolParameters {
  if (!isArguments(schema)) return { properties: null, required: [], isOpen: true };
  const properties = ownMember(schema, 'properties');
  const required = ownMember(schema, 'required');
  const additional = ownMember(schema, 'additionalProperties');
  return {
    properties: isArguments(properties) ? new Map(Object.entries(properties)) : null,
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
    // JSON Schema allows more by default; a tool's list of parameters is meant to be complete.
    isOpen: !isArguments(properties) || additional === true || isArguments(additional),
  };
}
