/** Rows of our own in the format of each data set, and what they come to: examples, gold answers, wrong answers. */
export interface TinyRows {
  readonly rows: readonly object[];
  readonly examples: number;
  readonly gold: number;
  readonly wrong: number;
  readonly leftOut?: number;
  readonly published?: Readonly<Record<string, number>>;
}

const turn = (from: string, value: string): object => ({ from, value });
const weather = { name: 'weather', parameters: { type: 'dict', properties: { city: { type: 'string' }, days: { type: 'integer' } } } };
const call = (name: string, values: object): object => ({
  id: 'c1',
  type: 'function',
  function: { name, arguments: JSON.stringify(values) },
});
const trajectory = [
  { role: 'user', content: 'Cancel order 7.' },
  { role: 'assistant', content: null, tool_calls: [call('cancel', { order: 7 })] },
  { role: 'tool', name: 'cancel', tool_call_id: 'c1', content: 'done' },
  { role: 'assistant', content: 'It is cancelled.' },
  { role: 'user', content: '###STOP###' },
];
const calm = { id: 'calm', reward: 1, messages: [trajectory[0], trajectory[3], trajectory[4]] };
const human = {
  task_id: 'T/0',
  entry_point: 'twice',
  canonical_solution: '    return 2 * n\n',
  test: 'def check(f):\n    assert f(2) == 4\n',
};
const asked = [[{ role: 'user', content: 'Weather in Rome for 2 days?' }]];

export const TINY_ROWS: Readonly<Record<string, TinyRows>> = {
  gsm8k: {
    rows: [
      { id: 'g1', question: '2 dozen?', answer: '2 * 12 = <<2*12=24>>24\n#### 24' },
      { id: 'g2', question: '2 thousand and 5?', answer: 'It is 2,005.\n#### 2,005' },
    ],
    examples: 2,
    gold: 4,
    wrong: 2,
  },
  svamp: {
    rows: [
      { ID: 's1', Body: 'There are 3 pears.', Question: 'Half?', Equation: '( 3.0 / 2.0 )', Answer: 1.5 },
      { ID: 's2', Body: 'One is 1 below 0.', Question: 'Ten thousand of them?', Equation: '( 0.0 - 10000.0 )', Answer: -10000 },
    ],
    examples: 2,
    gold: 6,
    wrong: 2,
  },
  math500: {
    rows: [
      { problem: '$2^3$?', solution: '', answer: '8', unique_id: 'm1', subject: 'Algebra' },
      { problem: '$1/2 - 1$?', solution: '', answer: '-0.5', unique_id: 'm2', subject: 'Algebra' },
      { problem: '$1/3$?', solution: '', answer: '\\frac{1}{3}', unique_id: 'm3', subject: 'Algebra' },
    ],
    examples: 2,
    leftOut: 1,
    gold: 4,
    wrong: 2,
  },
  math500_boxed: {
    rows: [
      { problem: '$2^3$?', solution: 'So $\\boxed{8}$ it is, not 9.', answer: '8', unique_id: 'm1', subject: 'Algebra' },
      { problem: '$1/3$?', solution: 'It is $\\boxed{\\frac{1}{3}}$.', answer: '\\frac{1}{3}', unique_id: 'm3', subject: 'Algebra' },
    ],
    examples: 2,
    gold: 2,
    wrong: 2,
  },
  mmlu_stem: {
    rows: [{ id: 1, question: 'Even prime?', options: ['1', '2', '3', '5'], answer: 'B', topic: 'number_theory' }],
    examples: 1,
    gold: 3,
    wrong: 3,
  },
  qasc: {
    rows: [
      {
        id: 'q1',
        formatted_question: 'What falls? (A) rain …',
        question: { choices: [...'ABCDEFGH'].map((label) => ({ label, text: label === 'A' ? 'rain' : `not ${label}` })) },
        answerKey: 'A',
      },
    ],
    examples: 1,
    gold: 3,
    wrong: 7,
  },
  bbh: {
    rows: [
      { task: 'sums', i: 0, input: '1 - 3 =', target: '-2' },
      { task: 'birds', i: 0, input: 'Which?\nOptions:\n(A) A robin\n(B) A crow\n(C) A wren', target: '(C)' },
      { task: 'brackets', i: 0, input: '[ {', target: '} ]' },
    ],
    examples: 3,
    gold: 1 + 4 + 2,
    wrong: 2 + 3,
  },
  promptfoo_classification: {
    rows: [
      {
        label: 'Bills',
        text: 'Why so much?',
        outputs: { one: { verdict: 'PASS', output: 'Bills.' }, two: { verdict: 'FAIL', output: 'Claims' } },
      },
    ],
    examples: 1,
    gold: 1,
    wrong: 1,
    published: { one: 1, two: 0 },
  },
  lmeval_eqbench_es: {
    rows: [
      {
        doc_id: 0,
        doc: { prompt: '¿Qué siente?' },
        target: "{'emotion1_score': 1, 'emotion2_score': 2, 'emotion3_score': 0, 'emotion4_score': 10}",
        filtered_resps: ["{'emotion1_score': 1, 'emotion2_sc"],
        percent_parseable: 0,
      },
    ],
    examples: 1,
    gold: 1,
    wrong: 1,
  },
  ifeval: {
    rows: [
      { key: 1, prompt: 'No commas.', instruction_id_list: ['punctuation:no_comma'], kwargs: [{}] },
      { key: 2, prompt: 'In Thai.', instruction_id_list: ['language:response_language'], kwargs: [{ language: 'th' }] },
    ],
    examples: 1,
    leftOut: 1,
    gold: 0,
    wrong: 0,
  },
  humaneval_doctests: {
    rows: [
      { ...human, prompt: 'def twice(n):\n    """Doubles.\n\n    >>> twice(4)\n    8\n    """\n' },
      { ...human, task_id: 'T/1', prompt: 'def twice(n):\n    """Doubles."""\n' },
    ],
    examples: 1,
    leftOut: 1,
    gold: 1,
    wrong: 1,
  },
  humaneval_tests: { rows: [{ ...human, prompt: 'def twice(n):\n    """Doubles."""\n' }], examples: 1, gold: 1, wrong: 1 },
  bfcl_simple_python: {
    rows: [
      { id: 'b1', question: asked, function: [weather], ground_truth: [{ weather: { city: ['Rome', 'Roma'], days: [2, ''] } }] },
      { id: 'b2', question: asked, function: [weather], ground_truth: [{ weather: { city: ['Oslo'], days: [3] } }] },
    ],
    examples: 2,
    gold: 4 * (2 + 1),
    wrong: 2,
  },
  bfcl_multiple: {
    rows: [{ id: 'b1', question: asked, function: [weather, { name: 'other' }], ground_truth: [{ weather: { city: ['Rome'] } }] }],
    examples: 1,
    gold: 4,
    wrong: 0,
  },
  bfcl_parallel: {
    rows: [
      {
        id: 'b1',
        question: asked,
        function: [weather],
        ground_truth: [{ weather: { city: ['Rome'] } }, { weather: { city: ['Oslo'], days: ['', 1] } }],
      },
    ],
    examples: 1,
    gold: 4 * 2,
    wrong: 0,
  },
  bfcl_irrelevance: { rows: [{ id: 'b1', question: asked, function: [weather] }], examples: 1, gold: 1, wrong: 4 },
  glaive: {
    rows: [
      {
        tools: JSON.stringify([weather]),
        conversations: [
          turn('human', 'Rome?'),
          turn('function_call', '{"name": "weather", "arguments": {"city": "Rome"}}'),
          turn('observation', '{"sky": "blue"}'),
          turn('gpt', 'Blue sky.'),
          turn('human', 'Thanks!'),
          turn('gpt', 'You are welcome.'),
        ],
      },
    ],
    examples: 2,
    gold: 4 + 1,
    wrong: 2,
  },
  openai_drone: {
    rows: [
      {
        messages: [
          { role: 'user', content: 'Land.' },
          { role: 'assistant', tool_calls: [{ type: 'function', function: { name: 'land', arguments: '"{\\"fast\\": true}"' } }] },
        ],
        tools: [{ type: 'function', function: { name: 'land' } }],
      },
    ],
    examples: 1,
    gold: 1,
    wrong: 0,
  },
  anthropic_messages: {
    rows: [
      {
        source: 'ours',
        tools: [{ name: 'add', input_schema: { type: 'object', properties: { a: { type: 'integer' } } } }],
        messages: [
          { role: 'user', content: '1 + 1?' },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: 'Let me see.' },
              { type: 'tool_use', id: 't1', name: 'add', input: { a: 1 } },
            ],
          },
        ],
      },
    ],
    examples: 1,
    gold: 5,
    wrong: 0,
  },
  intercode_bash: {
    rows: [
      { model: 'gpt-4', task_id: 1, query: 'List files.', gold: 'ls -la' },
      { model: 'gpt-4', task_id: 2, query: 'How many lines?', gold: 'wc -l < a.txt' },
      { model: 'vicuna', task_id: 1, query: 'List files.', gold: 'ls -la' },
    ],
    examples: 2,
    leftOut: 1,
    gold: 8,
    wrong: 2,
  },
  tau_airline: { rows: [{ id: 't1', reward: 1, messages: trajectory }, calm], examples: 2, gold: 2, wrong: 2 },
  tau_with_system: {
    rows: [{ id: 't1', reward: 1, messages: [{ role: 'system', content: 'Be kind.' }, ...trajectory] }],
    examples: 1,
    gold: 1,
    wrong: 1,
  },
  identity: {
    rows: [
      { instruction: 'hi', input: '', output: 'Hello, I am {{name}}.' },
      { instruction: 'Who?', input: 'Say it.', output: '{{name}}' },
    ],
    examples: 2,
    gold: 2,
    wrong: 2,
  },
  sharegpt_dummy: {
    rows: [{ id: 'd1', conversations: [turn('human', 'a?'), turn('gpt', 'b'), turn('human', 'c?'), turn('gpt', 'd')] }],
    examples: 1,
    gold: 1,
    wrong: 0,
  },
  content_parts: {
    rows: [
      {
        messages: [
          { role: 'user', content: [{ type: 'text', value: 'hi' }] },
          {
            role: 'assistant',
            content: [
              { type: 'text', value: 'Hel' },
              { type: 'text', value: 'lo' },
            ],
          },
        ],
      },
    ],
    examples: 1,
    gold: 1,
    wrong: 0,
  },
  preferences: {
    rows: [
      { conversations: [turn('system', 'Be kind.'), turn('human', 'Hi')], chosen: turn('gpt', 'Hello!'), rejected: turn('gpt', 'What?') },
    ],
    examples: 1,
    gold: 0,
    wrong: 0,
  },
  mt_bench: {
    rows: [
      { question_id: 1, category: 'writing', turns: ['A poem.', 'Shorter.'] },
      { question_id: 2, category: 'math', turns: ['1 + 1?', 'And 1?'], reference: ['2', '3'] },
    ],
    examples: 2,
    gold: 0,
    wrong: 0,
  },
};
