import { setMember } from '../json/set-member.js';
import { type Arguments, type ArgumentValue } from './argument-value.js';
import { coerceText } from './coerce-text.js';
import { convertBySchema } from './convert-by-schema.js';
import { readXmlValue } from './read-xml-value.js';
import { type TagToken } from './tag-tokens.js';
import { type ToolCall } from './tool-call.js';
import { type ToolCatalogue, type ToolParameters } from './tool-catalogue.js';

export interface XmlCallReading {
  /** Null when the call is cut off. */
  readonly call: ToolCall | null;
  /** It began as a call: `<function=name>` alone in prose did not. */
  readonly isIncomplete: boolean;
  /** The index of the token to go on with. */
  readonly next: number;
}

/**
 * Reads `<function=NAME><parameter=KEY>VALUE</parameter>…</function>` from the token at `opening`. Missing closing tags inside
 * are repaired where another tag of the call shows the place; a call whose own end is missing is cut off, and no end is invented.
 *
 * @param isTagged `<tool_call>` stands before it
 */
export function readXmlCall(
  text: string,
  tokens: readonly TagToken[],
  opening: number,
  isTagged: boolean,
  catalogue: ToolCatalogue,
): XmlCallReading {
  const { name, isWhole } = tokens[opening]!;
  if (name === '' || !isWhole) return { call: null, isIncomplete: isTagged, next: opening + 1 };
  const parameters = catalogue.find(name);
  const values = new Map<string, string>();
  let repaired = !isTagged || !tokens[opening]!.isGapBlank;
  for (let index = opening + 1; index < tokens.length;) {
    const token = tokens[index]!;
    switch (token.kind) {
      case 'parameter_open': {
        const place = { text, tokens, opening: index, knownNames: parameters?.properties ?? null, seenNames: values };
        const value = token.isWhole ? readXmlValue(place) : ({ kind: 'cut_off', next: index + 1 } as const);
        if (value.kind === 'cut_off') return { call: null, isIncomplete: true, next: value.next };
        values.set(token.name, value.text);
        repaired ||= value.repaired || (tokens[value.next - 1]!.kind === 'parameter_close' && !tokens[value.next - 1]!.isGapBlank);
        index = value.next;
        break;
      }
      case 'parameter_close':
        repaired = true;
        index += 1;
        break;
      case 'function_close':
      case 'call_close': {
        // Prose between the bare tags: it speaks of them.
        if (!isTagged && values.size === 0 && !tokens[opening]!.isGapBlank) return { call: null, isIncomplete: false, next: index };
        const isClosed = token.kind === 'function_close';
        const next = isClosed ? index + 1 : index;
        const endsBlock = isClosed && token.isGapBlank && tokens[next]?.kind === 'call_close';
        const call: ToolCall = {
          name,
          arguments: toArguments(values, parameters),
          format: 'qwen3_xml',
          shape: 'qwen3_xml',
          repaired: repaired || !endsBlock,
          undecoded: false,
        };
        return { call, isIncomplete: false, next: endsBlock ? next + 1 : next };
      }
      default:
        return { call: null, isIncomplete: isTagged || values.size > 0, next: index };
    }
  }
  return { call: null, isIncomplete: isTagged || values.size > 0, next: tokens.length };
}

function toArguments(values: ReadonlyMap<string, string>, parameters: ToolParameters | null): Arguments {
  const converted: Arguments = {};
  for (const [name, raw] of values) setMember(converted, name, toValue(name, raw, parameters));
  return converted;
}

/** The contract's rules hold for what the schema does not know. */
function toValue(name: string, raw: string, parameters: ToolParameters | null): ArgumentValue {
  const schema = parameters?.properties?.get(name);
  return schema === undefined ? coerceText(raw) : convertBySchema(raw, schema);
}
