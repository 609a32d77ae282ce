import { type JsonObject, type JsonValue } from '@kiln/contracts';
import { type KnownAnswer } from './data-set.js';

/** A call as a data set says it. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** The target of `tool_call` for calls; an empty list says that none may be made. */
export function callsTarget(calls: readonly WrittenCall[]): string {
  return JSON.stringify({ tool_calls: calls });
}

/** The same calls as models and servers write them; each must be read. */
export function callForms(calls: readonly WrittenCall[], name: string): KnownAnswer[] {
  const form = (how: string, text: string): KnownAnswer => ({ name: `${name}, ${how}`, text, expected: 'pass' });
  return [
    form('JSON', callsTarget(calls)),
    form('tagged JSON', calls.map((call) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`).join('\n')),
    form('tagged XML', calls.map(xmlCall).join('\n')),
    { ...form('parsed by a server', ''), toolCalls: calls.map(openAiCall) },
  ];
}

export function openAiCall(call: WrittenCall, position: number): JsonObject {
  return { id: `call_${position}`, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.arguments) } };
}

function xmlCall(call: WrittenCall): string {
  const parameters = Object.entries(call.arguments).map(([key, value]) => `<parameter=${key}>\n${xmlValue(value)}\n</parameter>\n`);
  return `<tool_call>\n<function=${call.name}>\n${parameters.join('')}</function>\n</tool_call>`;
}

function xmlValue(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
