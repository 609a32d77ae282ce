import { type DataFence } from './data-fence.js';

/** What a template may ask for. */
export const PLACEHOLDERS = ['question', 'target', 'answer'] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** A name in braces. Other braces, such as those of a JSON example, are text. */
const NAMED = /\{([A-Za-z_][A-Za-z0-9_]{0,63})\}/g;

/** The names in braces that a template uses, in order; a name may come more than once. */
export function namesIn(template: string): string[] {
  return Array.from(template.matchAll(NAMED), ([, name = '']) => name);
}

/** How often a template shows each text. */
export function countUses(template: string): Record<Placeholder, number> {
  const names = namesIn(template);
  const uses = (placeholder: Placeholder): number => names.filter((name) => name === placeholder).length;
  return { question: uses('question'), target: uses('target'), answer: uses('answer') };
}

/** Fills a template in one pass, each text between delimiters: braces inside a text are never looked at. */
export function fillTemplate(template: string, texts: Readonly<Record<Placeholder, string>>, fence: DataFence): string {
  return template.replace(NAMED, (written, name: string) => (isPlaceholder(name) ? fence.wrap(name.toUpperCase(), texts[name]) : written));
}

export function isPlaceholder(name: string): name is Placeholder {
  return (PLACEHOLDERS as readonly string[]).includes(name);
}
