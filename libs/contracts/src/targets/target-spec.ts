import { z } from 'zod';
import { Text, nonBlankText } from '../scalars/text.js';
import { EndpointHeaders, EndpointUrl, EnvironmentName } from './endpoint-fields.js';
import { Pricing } from './pricing.js';

const name = nonBlankText(200).exactOptional().meta({ description: 'Names the target in results; unique in a job.' });

/** A local model with an adapter. `model` "echo" is the built-in echo, which answers with the last user message. */
export const ModelTarget = z
  .object({
    kind: z.literal('model'),
    name,
    model: nonBlankText(200).exactOptional().meta({ description: 'Omitted = the server’s default model.' }),
    adapter: Text.max(200).exactOptional().meta({ description: 'Omitted or "" = the base model.' }),
    pricing: Pricing.exactOptional().meta({ description: 'Default: free.' }),
  })
  .meta({ id: 'ModelTarget' });

/** An OpenAI-compatible chat completions endpoint. */
export const EndpointTarget = z
  .object({
    kind: z.literal('endpoint'),
    name,
    base_url: EndpointUrl,
    model: nonBlankText(200),
    api_key_env: EnvironmentName.exactOptional(),
    revision: nonBlankText(200).exactOptional().meta({ description: 'An immutable revision; without one, answers are never reused.' }),
    headers: EndpointHeaders.exactOptional(),
    timeout_ms: z.int().min(1).max(3_600_000).exactOptional(),
    concurrency: z.int().min(1).max(4096).exactOptional(),
    pricing: Pricing,
  })
  .meta({ id: 'EndpointTarget' });

/** An agent command in a workspace. Not served yet. */
export const AgentTarget = z
  .object({ kind: z.literal('agent'), name, command: z.array(Text).min(1), pricing: Pricing.exactOptional() })
  .meta({ id: 'AgentTarget' });

/** A workflow of several steps. Not served yet. */
export const WorkflowTarget = z
  .object({ kind: z.literal('workflow'), name, workflow: nonBlankText(200), pricing: Pricing.exactOptional() })
  .meta({ id: 'WorkflowTarget' });

/** What is evaluated, as a person writes it. Admission resolves it to a {@link FrozenTarget}. */
export const TargetSpec = z
  .discriminatedUnion('kind', [ModelTarget, EndpointTarget, AgentTarget, WorkflowTarget], {
    error: (issue) => (issue.code === 'invalid_union' ? 'unknown target kind; use model, endpoint, agent or workflow' : undefined),
  })
  .meta({ id: 'TargetSpec' });
export type TargetSpec = z.output<typeof TargetSpec>;
export type TargetSpecOf<K extends TargetSpec['kind']> = Extract<TargetSpec, { kind: K }>;
