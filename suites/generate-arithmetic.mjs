/**
 * Writes the suite arithmetic-200 to standard output:
 *
 *   node suites/generate-arithmetic.mjs > suites/arithmetic-200.json
 *
 * Same output on every run and every machine. Operands are those with which the demo model is mediocre and its adapter
 * math-v2 much better at - and × (models/README.md): + and - of 10 to 999, × of 2 to 98 by 2 to 12. Differences are not
 * negative. Operations alternate, so that a run that stops early has seen all of them.
 */

const OPERATIONS = {
  add: { sign: '+', tag: 'addition', draw: () => [between(10, 999), between(10, 999)], apply: (a, b) => a + b },
  sub: { sign: '-', tag: 'subtraction', draw: () => [between(10, 999), between(10, 999)].sort((a, b) => b - a), apply: (a, b) => a - b },
  mul: { sign: '×', tag: 'multiplication', draw: () => [between(2, 98), between(2, 12)], apply: (a, b) => a * b },
};

/** Forty rounds of one addition, two subtractions and two multiplications. */
const ROUND = ['sub', 'mul', 'add', 'sub', 'mul'];
const ROUNDS = 40;

/** Mulberry32: a 32-bit generator that fits in five lines; plenty to pick operands. */
let state = 20_260_822;
function between(low, high) {
  state = (state + 0x6d2b79f5) | 0;
  let bits = Math.imul(state ^ (state >>> 15), 1 | state);
  bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
  return low + (((bits ^ (bits >>> 14)) >>> 0) % (high - low + 1));
}

const asked = new Set();
const counts = { add: 0, sub: 0, mul: 0 };

function example(name) {
  const { sign, tag, draw, apply } = OPERATIONS[name];
  const [a, b] = draw();
  const question = `${a} ${sign} ${b}?`;
  if (asked.has(question)) return example(name);
  asked.add(question);
  counts[name] += 1;
  const digits = [String(a).length, String(b).length].sort().reverse().join('-');
  return {
    id: `${name}-${String(counts[name]).padStart(3, '0')}`,
    messages: [{ role: 'user', content: question }],
    target: String(apply(a, b)),
    tags: [tag, `digits:${digits}`],
  };
}

const examples = Array.from({ length: ROUNDS }, () => ROUND.map(example)).flat();

const header = {
  name: 'arithmetic-200',
  description: '200 additions, subtractions and multiplications of two whole numbers, answered with a whole number.',
  schema_version: 2,
  default_scorer: { kind: 'numeric_tolerance', atol: 0, rtol: 0, integer_only: true },
  generation: { temperature: 0, top_p: 1, top_k: 0, max_tokens: 16, n: 1 },
  aggregation: { kind: 'single' },
};

// One example a line, so that a diff of the suite can be read.
const body = JSON.stringify(header, null, 2).slice(0, -2);
process.stdout.write(`${body},\n  "examples": [\n${examples.map((one) => `    ${JSON.stringify(one)}`).join(',\n')}\n  ]\n}\n`);
