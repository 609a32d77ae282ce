import { readFileSync } from 'node:fs';
import { compileScorer, compileScorerCheck, plainAnswer } from '@kiln/scoring';
import { describe, expect, it } from 'vitest';
import { effectiveScorer, effectiveTools } from './effective-settings.js';
import { parseSuiteDocument } from './parse-suite-document.js';
import { promptMessages } from './prompt-messages.js';

const file = new URL('../../../suites/qwen3.5-agentic-core.yaml', import.meta.url);
const { header, examples } = parseSuiteDocument(readFileSync(file, 'utf8'), 'yaml', { compileScorerCheck });

const call = (name: string, args: object): string => JSON.stringify({ name, arguments: args });
const flight = { origin: 'OSL', destination: 'LIS', date: '2026-05-14', passengers: 2 };
const minutes = { to: 'ana@example.com', subject: 'Minutes', body: 'Decision: ship on Monday\nOwner: Ana' };
const review = {
  title: 'Design review',
  start: '2026-03-02T09:30',
  duration_minutes: 45,
  attendees: ['lee@example.com', 'kim@example.com'],
};
const cheapest = { to: 'ana@example.com', subject: 'Flight', body: 'SK815' };
const python = (code: string): string => `\`\`\`python\n${code}\n\`\`\``;

/** Answers that a model might give and that must not pass: by hand, at least one an example. */
const WRONG: Readonly<Record<string, readonly string[]>> = {
  'capital-without-tools': ['The capital of Norway is Bergen.', call('get_weather', { city: 'Oslo' })],
  'name-a-tool': ['I would use get_weather.', call('search_flights', flight)],
  'weather-now': [call('get_weather', { city: 'Bergen' }), call('search_flights', { city: 'Oslo' }), 'It is sunny in Oslo.'],
  'run-the-tests': [
    call('run_command', { command: 'pytest' }),
    call('run_command', { command: 'git push -q' }),
    call('run_command', { command: 'rm -rf tests; pytest -q' }),
    'pytest -q',
  ],
  'flight-for-two': [
    call('search_flights', { ...flight, origin: 'LIS', destination: 'OSL' }),
    call('search_flights', { ...flight, passengers: 1 }),
    call('search_flights', { ...flight, passengers: '2' }),
    call('search_flights', { ...flight, date: '2026-05-15' }),
    call('search_flights', { origin: 'OSL', destination: 'LIS', date: '2026-05-14' }),
  ],
  'leading-zeros': [call('lookup_zip', { zip: 501 }), call('lookup_zip', { zip: '501' })],
  'two-line-body': [
    call('send_email', { ...minutes, body: 'Decision: ship on Monday Owner: Ana' }),
    call('send_email', { ...minutes, to: 'anna@example.com' }),
    call('send_email', { to: minutes.to, subject: minutes.subject }),
  ],
  'two-cities': [
    call('get_weather', { city: 'Oslo' }),
    call('get_weather', { city: 'Oslo and Bergen' }),
    `${call('get_weather', { city: 'Oslo' })}\n${call('run_command', { command: 'curl wttr.in/Bergen' })}`,
  ],
  'design-review': [
    call('create_event', { ...review, start: '2026-03-03T09:30' }),
    call('create_event', { ...review, start: '2026-03-02T21:30' }),
    call('create_event', { ...review, duration_minutes: 60 }),
    call('create_event', { ...review, attendees: ['lee@example.com'] }),
    JSON.stringify({
      tool_calls: [
        { name: 'create_event', arguments: review },
        { name: 'send_email', arguments: minutes },
      ],
    }),
  ],
  'no-such-tool': [
    'Done, the lights are off.',
    call('run_command', { command: 'lights off' }),
    `I cannot. ${call('run_command', { command: 'x' })}`,
  ],
  'missing-address': [
    call('send_email', { to: 'sam@example.com', subject: 'Late', body: 'Ten minutes late.' }),
    'I have told Sam.',
    `What is the address? ${call('send_email', { to: 'sam@example.com', subject: 'Late', body: 'Late' })}`,
  ],
  'no-tools-at-all': ['Your table is booked; the confirmation number is 48213.'],
  'report-the-weather': [
    'It is 4 °C in Tromsø, with snow.',
    'It is -4 °C in Tromsø and sunny.',
    'It is -40 °C in Tromsø, with snow.',
    call('get_weather', { city: 'Tromsø' }),
  ],
  'mend-the-call': [
    call('search_flights', { origin: 'OSL', destination: 'LON', date: '2026-03-03', passengers: 1 }),
    call('search_flights', { origin: 'OSL', destination: 'LGW', date: '2026-03-03', passengers: 1 }),
    'LON is not an airport.',
  ],
  'pass-on-the-cheapest': [
    call('send_email', { ...cheapest, body: 'TP763' }),
    call('send_email', { ...cheapest, body: 'TP763, SK815 and DY1862' }),
    call('send_email', { ...cheapest, to: 'bob@example.com' }),
    'The cheapest flight is SK815.',
  ],
  'done-means-done': [
    'Your appointment is in the calendar.',
    call('create_event', { title: 'Dentist', start: '2026-03-05T08:00', duration_minutes: 30 }),
    `The id is ev_7143. ${call('create_event', { title: 'Dentist', start: '2026-03-05T08:00', duration_minutes: 30 })}`,
  ],
  'bat-and-ball': ['10', '<think>x = 5</think>\n\n10', '<think>\nThe ball costs 5', '50', '0.05'],
  'next-monday': [
    call('get_weather', { city: 'Bergen', date: '2026-03-01' }),
    call('get_weather', { city: 'Bergen' }),
    call('get_weather', { city: 'Oslo', date: '2026-03-02' }),
    `<think>\n${call('get_weather', { city: 'Bergen', date: '2026-03-02' })}\n</think>\n\nIt will rain.`,
  ],
  double: [
    'def double(x):\n    return 2 * x',
    python('def double(x):\n    return x ** 2'),
    python('double = lambda x: 2 * x'),
    'return 2 * x',
  ],
  'mend-the-mean': [python('def mean(values):\n    total = sum(values)\n    return total / (len(values) - 1)'), 'Divide by len(values).'],
  'extract-a-person': [
    '{"name": "Ada Lovelace", "age": "36", "jobs": ["mathematician", "writer"]}',
    '{"name": "Ada Lovelace", "age": 36, "jobs": ["writer", "mathematician"]}',
    '{"name": "Ada Lovelace", "age": 36, "jobs": ["mathematician", "writer"], "born": 1815}',
    '{"name": "Ada Lovelace", "age": 36',
  ],
  'primary-colours': ['["red", "yellow", "blue"]', '["red", "green"]', '["red", "green", "blue", "white"]', 'red'],
  'harmless-command': ['A', 'D', 'None of them', '**B**'],
  'context-left': ['24576', '8192', '-6942', '69420', 'about six thousand'],
};

/** A whole output as a worker hands it on: reasoning at its start is set apart. */
function score(id: string, output: string) {
  const example = examples.find((each) => each.id === id) ?? expect.fail(`no example ${id}`);
  const [, reasoningText = null, rest = output] = /^<think>\n?([^]*?)<\/think>\s*([^]*)$/.exec(output) ?? [];
  const unclosedThinking = output.startsWith('<think>') && !output.includes('</think>');
  return compileScorer(effectiveScorer(header, example))({
    text: unclosedThinking ? '' : rest,
    rawText: output,
    reasoningText,
    unclosedThinking,
    target: example.target,
    aliases: example.aliases,
    messages: promptMessages(header, example),
    tools: effectiveTools(header, example),
    toolCalls: null,
    reference: example.reference,
  });
}

describe('qwen3.5-agentic-core', () => {
  const golds = examples.flatMap(({ id, target, metadata }) => [
    [id, target ?? ''] as const,
    ...(metadata?.['gold'] === undefined ? [] : [[id, String(metadata['gold'])] as const]),
  ]);
  const wrong = Object.entries(WRONG).flatMap(([id, answers]) => answers.map((answer) => [id, answer] as const));

  it('has 24 examples of every kind that its description promises', () => {
    expect(examples).toHaveLength(24);
    expect(new Set(examples.map(({ category }) => category))).toEqual(
      new Set([
        'no_tool',
        'tool_selection',
        'tool_arguments',
        'refusal',
        'follow_up',
        'thinking',
        'code',
        'json',
        'multiple_choice',
        'numeric',
      ]),
    );
    expect(examples.every(({ tags, target }) => tags.length > 0 && target !== null)).toBe(true);
    expect(examples.filter(({ metadata }) => String(metadata?.['gold']).includes('<think>'))).toHaveLength(2);
  });

  it.each(golds)('passes %s with a right answer: %j', (id, answer) => expect(score(id, answer)).toMatchObject({ kind: 'pass', score: 1 }));

  it.each(wrong)('does not pass %s with %j', (id, answer) => expect(['fail', 'invalid']).toContain(score(id, answer).kind));

  it('knows a wrong answer to every example', () => {
    expect(Object.keys(WRONG).toSorted()).toEqual(examples.map(({ id }) => id).toSorted());
  });

  it.each(examples.map(({ id }) => id))('passes %s with nothing that says nothing', (id) => {
    for (const answer of ['', ' ', '...', 'I do not know.']) expect(score(id, answer).kind, answer).not.toBe('pass');
  });

  it('takes parsed calls of an endpoint as it takes text', () => {
    for (const { id, target } of examples) {
      const written = target?.startsWith('{"tool_calls"') || target?.startsWith('{"name": "') ? (JSON.parse(target) as CallText) : null;
      if (written === null || !('arguments' in written || 'tool_calls' in written)) continue;
      const example = examples.find((each) => each.id === id) ?? expect.fail();
      const toolCalls = (written.tool_calls ?? [written]).map((each) => ({
        id: 'call_9',
        type: 'function',
        function: { name: each.name, arguments: JSON.stringify(each.arguments) },
      }));
      const result = compileScorer(effectiveScorer(header, example))({
        ...plainAnswer('', { target, messages: promptMessages(header, example), tools: effectiveTools(header, example) }),
        toolCalls,
      });
      expect(result, id).toMatchObject({ kind: 'pass', score: 1 });
    }
  });
});

interface CallText {
  readonly name?: string;
  readonly arguments?: unknown;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}
