import { Template } from '@huggingface/jinja';
import { type JsonObject, type Message, type Tool } from '@kiln/contracts';

/** The template does not accept this conversation; the message is the template's own where it has one. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}

export interface ChatTemplateSource {
  /** Used for every conversation without a variant of its own. */
  default: string;
  /** Used when tools are declared, where the model has it. */
  toolUse: string | null;
}

/** The date that templates are told. The wall clock would give the same request another prompt every day. */
const FROZEN_DATE: Readonly<Record<string, string>> = {
  '%Y': '2024',
  '%y': '24',
  '%m': '07',
  '%d': '26',
  '%e': '26',
  '%B': 'July',
  '%b': 'Jul',
  '%A': 'Friday',
  '%a': 'Fri',
  '%j': '208',
  '%H': '00',
  '%I': '12',
  '%p': 'AM',
  '%M': '00',
  '%S': '00',
  '%%': '%',
};

const FROZEN_DATE_NAME = 'kiln_frozen_date';
/** The library declares its own strftime_now and lets no variable replace it; a `set` statement does. */
const FREEZE_DATE = `{% set strftime_now = ${FROZEN_DATE_NAME} %}`;

/** Renders conversations as the model was trained to read them. */
export class ChatTemplate {
  readonly #default: Template;
  readonly #toolUse: Template;
  readonly #specialTokens: Readonly<Record<string, string>>;

  /**
   * @param specialTokens variables such as `bos_token`, from tokenizer_config.json.
   * @throws TemplateError when the template cannot be parsed.
   */
  constructor(source: ChatTemplateSource, specialTokens: Readonly<Record<string, string>>) {
    this.#default = parse(source.default);
    this.#toolUse = source.toolUse === null ? this.#default : parse(source.toolUse);
    this.#specialTokens = specialTokens;
  }

  /** The prompt, with the answer's turn opened. `variables` are the request's chat_template_kwargs. @throws TemplateError */
  render(messages: readonly Message[], tools: readonly Tool[] | null, variables: JsonObject | null): string {
    const template = tools !== null && tools.length > 0 ? this.#toolUse : this.#default;
    try {
      return template.render({
        [FROZEN_DATE_NAME]: frozenDate,
        ...this.#specialTokens,
        ...variables,
        messages: messages.map(templateMessage),
        ...(tools === null || tools.length === 0 ? {} : { tools }),
        add_generation_prompt: true,
      });
    } catch (cause) {
      throw new TemplateError(`the chat template refused the conversation: ${messageOf(cause)}`, { cause });
    }
  }
}

/** Templates expect the arguments of a tool call as an object; the OpenAI shape has them as JSON text. */
function templateMessage(message: Message): Record<string, unknown> {
  if (message.tool_calls === undefined) return message;
  return { ...message, tool_calls: message.tool_calls.map(withParsedArguments) };
}

function withParsedArguments(call: JsonObject): JsonObject {
  const inner = call['function'];
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return { ...call, function: withParsedArguments(inner) };
  const { arguments: text } = call;
  if (typeof text !== 'string') return call;
  try {
    return { ...call, arguments: JSON.parse(text) };
  } catch {
    return call;
  }
}

function frozenDate(format: string): string {
  return format.replace(/%[-_0^#]?([A-Za-z%])/g, (directive, letter: string) => FROZEN_DATE[`%${letter}`] ?? directive);
}

function parse(text: string): Template {
  try {
    const template = new Template(text);
    template.parsed.body.unshift(...new Template(FREEZE_DATE).parsed.body);
    return template;
  } catch (cause) {
    throw new TemplateError(`the chat template cannot be parsed: ${messageOf(cause)}`, { cause });
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
