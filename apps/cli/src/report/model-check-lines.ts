import { type ModelCheck, type ModelsCheck } from '@kiln/inference';
import { count, percent } from '../terminal/numbers.js';
import { safeText } from '../terminal/safe-text.js';
import { type Style } from '../terminal/style.js';
import { table } from '../terminal/table.js';

type Layout = NonNullable<ModelCheck['layout']>;
type Probe = NonNullable<ModelCheck['probe']>;

/** What `kiln models check` found, for a person. */
export function modelCheckLines({ machine, models, rejected }: ModelsCheck, style: Style): string[] {
  const lines = models.flatMap((model) => [...modelLines(model, style), '']);
  if (models.length === 0 && rejected.length === 0) lines.push('no model here');
  if (rejected.length > 0) lines.push(style.bad('refused'), ...table([{ title: '' }, { title: '' }], rejected.map(rejection), 2), '');
  if (machine !== null) {
    const { processor, threads, clock, bytesPerS, flopsPerS } = machine;
    const time = clock === 'cpu' ? 'CPU time' : 'time on the wall';
    lines.push(
      `measured on ${safeText(processor)}, ${threads} ${threads === 1 ? 'thread' : 'threads'}, in ${time}: ` +
        `${giga(bytesPerS)} GB/s, ${giga(flopsPerS)} GFLOP/s`,
    );
  }
  return lines;
}

function modelLines(check: ModelCheck, style: Style): string[] {
  const { model, adapter, adapters, contextTokens, layout, probe, answer, speed, flaws } = check;
  const name = safeText(adapter === null ? model : `${model}+${adapter}`);
  const state = flaws.length === 0 ? style.good('can be served') : style.bad('cannot be served');
  const facts: [string, string][] = [
    ['model', check.modelDigest],
    ['tokenizer', check.tokenizerDigest],
    ['template', check.templateDigest],
    ...(check.adapterDigest === null ? [] : [['adapter', check.adapterDigest] as [string, string]]),
    ...(layout === null ? [] : layoutFacts(layout)),
    ['context', contextTokens === null ? 'not stated' : `${count(contextTokens)} tokens`],
    ['adapters', adapters.length === 0 ? 'none' : adapters.map((each) => safeText(each)).join(', ')],
    ...(probe === null ? [] : probeFacts(probe)),
    ...(answer === null ? [] : answerFacts(answer)),
  ];
  return [
    `${style.bold(name)} ${state}`,
    ...flaws.map((flaw) => `  ${style.bad(safeText(flaw))}`),
    ...table([{ title: '' }, { title: '' }], facts, 2),
    ...(speed.length === 0 ? [] : ['', ...speedTable(speed)]),
  ];
}

function layoutFacts({
  graph,
  weightBytes,
  attention,
  quantisation,
  cacheType,
  cacheBytesPerToken,
  cacheInPlace,
  stateLayers,
}: Layout): [string, string][] {
  const states = stateLayers === 0 ? '' : `, ${count(stateLayers)} ${stateLayers === 1 ? 'layer' : 'layers'} with state`;
  return [
    ['graph', `${safeText(graph)}, ${megabytes(weightBytes)}${quantisation === null ? '' : `, ${quantisation}`}`],
    ['attention', `${attention}${states}`],
    ['cache', `${cacheType}, ${count(cacheBytesPerToken)} bytes a token, ${cacheInPlace ? 'in place' : 'copied at each step'}`],
  ];
}

function probeFacts({ measured, minRows, maxRows, adapterMinRows, exactPrefill }: Probe): [string, string][] {
  const rows = measured.steps.map((step) => step.rows).join(', ');
  return [
    [
      'same bits',
      `twice ${mark(measured.repeated)}, padding ${mark(measured.padding)}, width ${mark(measured.width)}, neighbours ${mark(measured.neighbours)}`,
    ],
    [
      'prompts',
      `in chunks ${mark(measured.chunks)}, last token alone ${mark(measured.lastTokenAlone)}: ${exactPrefill ? 'always cut alike' : 'cut anywhere'}`,
    ],
    ['rows', `tried ${rows}: ${maxRows === 1 ? 'one at a time' : `at least ${minRows}`}`],
    ...(measured.adapter === null
      ? []
      : [['with adapter', `rank 0 ${mark(measured.adapter.rankZero)}, at least ${adapterMinRows} rows`] as [string, string]]),
  ];
}

function answerFacts({ prompt, text, tokens, backend, backendsEqual }: NonNullable<ModelCheck['answer']>): [string, string][] {
  const other =
    backendsEqual === null ? 'there is no other backend' : `the other backend ${backendsEqual ? 'says the same' : 'says something else'}`;
  return [
    ['asked', safeText(prompt)],
    ['answer', `${safeText(text)} (${count(tokens)} tokens, ${backend}; ${other})`],
  ];
}

function speedTable(speed: ModelCheck['speed']): string[] {
  const right = (title: string) => ({ title, align: 'right' as const });
  return table(
    [right('rows'), right('context'), right('tokens/s'), right('limit'), right('reached'), { title: 'bound by' }],
    speed.map(({ rows, context, tokensPerS, limitTokensPerS, bound }) => [
      count(rows),
      count(context),
      rate(tokensPerS),
      rate(limitTokensPerS),
      percent(tokensPerS / limitTokensPerS),
      bound,
    ]),
    2,
  );
}

function rejection({ path, reason }: ModelsCheck['rejected'][number]): [string, string] {
  return [safeText(path), safeText(reason)];
}

function mark(same: boolean | null): string {
  return same === null ? '–' : same ? 'yes' : 'no';
}

function rate(tokensPerS: number): string {
  return tokensPerS < 10 ? tokensPerS.toFixed(1) : count(Math.round(tokensPerS));
}

function giga(perSecond: number): string {
  return (perSecond / 1e9).toFixed(1);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)} MB`;
}
