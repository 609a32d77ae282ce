import { join } from 'node:path';
import { type Json, readJson, readText } from './model-files.js';
import { type ChatTemplateSource } from './text/chat-template.js';
import { UnsupportedModelError } from './unsupported-model-error.js';

/**
 * The chat template of a model's directory: `chat_template.jinja`, else `chat_template` of tokenizer_config.json (one
 * template, or several by name), else of `chat_template.json`. A variant for tools may also be
 * `additional_chat_templates/tool_use.jinja`.
 * @throws UnsupportedModelError when there is none.
 */
export async function readTemplateSource(path: string, tokenizerConfig: Json): Promise<ChatTemplateSource> {
  const toolUse = await readText(join(path, 'additional_chat_templates', 'tool_use.jinja'));
  const file = await readText(join(path, 'chat_template.jinja'));
  if (file !== null) return { default: file, toolUse };
  for (const inline of [tokenizerConfig['chat_template'], (await readJson(path, 'chat_template.json'))?.['chat_template']]) {
    if (typeof inline === 'string') return { default: inline, toolUse };
    if (!Array.isArray(inline)) continue;
    const named = new Map(inline.filter(isNamedTemplate).map(({ name, template }) => [name, template]));
    const general = named.get('default');
    if (general !== undefined) return { default: general, toolUse: toolUse ?? named.get('tool_use') ?? null };
  }
  throw new UnsupportedModelError(
    'the tokenizer has no chat template (chat_template.jinja, or chat_template in tokenizer_config.json); add the one that the model was trained with',
  );
}

function isNamedTemplate(entry: unknown): entry is { name: string; template: string } {
  const { name, template } = (entry ?? {}) as Json;
  return typeof name === 'string' && typeof template === 'string';
}
