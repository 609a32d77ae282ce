/** What a cache or state port holds: of which layer, before or after the run. */
export interface CacheRole {
  time: 'past' | 'present';
  layer: number;
  kind: 'key' | 'value' | 'convolution' | 'recurrent';
}

/** Names of one kind of cache port, with `%d` for the layer, as genai_config.json states them. */
export interface NamePattern extends Omit<CacheRole, 'layer'> {
  pattern: string;
}

/** `past_key_values.3.key`, `present.3.conv_state`, `past_conv.3`, `past.3.recurrent`, `present_ssm.3`, … */
const CACHE_NAME = /^(?<time>past|present)(?:_key_values)?[._](?<rest>[a-z_.]*\d+[a-z_.]*)$/;

const KINDS: readonly [word: RegExp, kind: CacheRole['kind']][] = [
  [/^keys?$/, 'key'],
  [/^values?$/, 'value'],
  [/^conv(_states?)?$/, 'convolution'],
  [/^(recurrent|ssm)(_states?)?$/, 'recurrent'],
];

/** The names of a graph's ports. */
export class PortNames {
  readonly inputIds: string;
  readonly attentionMask: string;
  readonly positionIds: string;
  readonly logits: string;
  /** Equal for equal names. */
  readonly signature: string;
  readonly #patterns: readonly { expression: RegExp; role: Omit<CacheRole, 'layer'> }[];

  /** What is not stated has the name that exporters agree on. */
  constructor(
    stated: { inputIds?: string; attentionMask?: string; positionIds?: string; logits?: string } = {},
    patterns: readonly NamePattern[] = [],
  ) {
    this.inputIds = stated.inputIds ?? 'input_ids';
    this.attentionMask = stated.attentionMask ?? 'attention_mask';
    this.positionIds = stated.positionIds ?? 'position_ids';
    this.logits = stated.logits ?? 'logits';
    this.signature = JSON.stringify([this.inputIds, this.attentionMask, this.positionIds, this.logits, patterns]);
    this.#patterns = patterns.map(({ pattern, time, kind }) => ({
      expression: new RegExp(`^${pattern.split('%d').map(escaped).join('(\\d+)')}$`),
      role: { time, kind },
    }));
  }

  /** null: the port is none of the cache. */
  cacheRole(name: string): CacheRole | null {
    for (const { expression, role } of this.#patterns) {
      const layer = expression.exec(name)?.[1];
      if (layer !== undefined) return { ...role, layer: Number(layer) };
    }
    const groups = CACHE_NAME.exec(name)?.groups;
    if (groups === undefined) return null;
    const rest = groups['rest']!;
    const word = rest.replace(/\d+/, '').replace(/^[._]+|[._]+$/g, '');
    const kind = KINDS.find(([expression]) => expression.test(word))?.[1];
    if (kind === undefined) return null;
    return { time: groups['time'] as CacheRole['time'], layer: Number(/\d+/.exec(rest)![0]), kind };
  }
}

export const STANDARD_NAMES = new PortNames();

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
