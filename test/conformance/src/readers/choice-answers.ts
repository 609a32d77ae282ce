import { type KnownAnswer } from '../data-set.js';

/** The right label as answers write it, and every other label. */
export function choiceAnswers(labels: readonly string[], right: string, text: string): KnownAnswer[] {
  const wrong = labels.filter((label) => label !== right);
  return [
    { name: 'gold', text: right, expected: 'pass' },
    { name: 'label and text', text: `(${right}) ${text}`, expected: 'pass' },
    { name: 'answer line', text: `Let me think.\n\nANSWER: ${right}`, expected: 'pass' },
    ...wrong.map((label): KnownAnswer => ({ name: `label ${label}`, text: label, expected: 'fail' })),
  ];
}
