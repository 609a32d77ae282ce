import { type Example, type Message, type Scorer, type SuiteHeader, type Tool } from '@kiln/contracts';
import { effectiveScorer, effectiveTools } from './effective-settings.js';
import { promptMessages } from './prompt-messages.js';
import { type ResolvedExample } from './suite-validator.js';

/** What a proof of the scorers needs of an example, with what the suite adds to it. */
export type ExampleToProve = Pick<Example, 'target' | 'aliases' | 'reference'> & {
  id: string;
  scorer: Scorer;
  messages: Message[];
  tools: Tool[] | null;
};

export function exampleToProve(header: SuiteHeader, example: ResolvedExample): ExampleToProve {
  const { id, target, aliases, reference } = example;
  return {
    id,
    target,
    aliases,
    reference,
    scorer: effectiveScorer(header, example),
    messages: promptMessages(header, example),
    tools: effectiveTools(header, example),
  };
}
