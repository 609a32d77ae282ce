import { KilnError } from '@kiln/contracts';

/** Where an example stands: its position in the suite, and in a JSONL file its line (from 1, blank lines counted). */
export interface ExamplePlace {
  readonly ordinal: number;
  readonly line?: number;
}

/** How a person finds the example: `examples[3]`, or `line 7` of a JSONL file. */
export function describePlace({ ordinal, line }: ExamplePlace): string {
  return line === undefined ? `examples[${ordinal}]` : `line ${line}`;
}

/** `examples[3].target`, or `line 7: target`. */
export function fieldAt(place: ExamplePlace, field: string): string {
  return `${describePlace(place)}${place.line === undefined ? '.' : ': '}${field}`;
}

/** The error of a bad field of one example. */
export function exampleError(place: ExamplePlace, field: string, message: string, hint: string): KilnError {
  return new KilnError('eval_invalid_request', `${fieldAt(place, field)}: ${message}`, { path: fieldAt(place, field), hint });
}
