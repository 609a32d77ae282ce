import { type ToolCall } from './tool-call.js';
import { type ToolCatalogue } from './tool-catalogue.js';

export interface SchemaFaults {
  /** Required arguments that the calls lack. */
  readonly missingRequired: number;
  /** Arguments that their tools do not list. */
  readonly extraUnknown: number;
}

/** How far calls break the schemas of their tools. Calls of tools that are not in the catalogue count nowhere. */
export function countSchemaFaults(calls: readonly ToolCall[], catalogue: ToolCatalogue): SchemaFaults {
  let missingRequired = 0;
  let extraUnknown = 0;
  for (const { name, arguments: values } of calls) {
    const parameters = catalogue.find(name);
    if (parameters === null) continue;
    const { properties, required, isOpen } = parameters;
    missingRequired += required.filter((key) => !Object.hasOwn(values, key)).length;
    if (properties !== null && !isOpen) extraUnknown += Object.keys(values).filter((key) => !properties.has(key)).length;
  }
  return { missingRequired, extraUnknown };
}
