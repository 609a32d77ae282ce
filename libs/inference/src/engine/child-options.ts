const GENERATOR_KINDS = ['onnx', 'openai', 'echo'] as const;
export type GeneratorKind = (typeof GENERATOR_KINDS)[number];

/** What a child is told when it is forked, as JSON in its first argument. */
export interface ChildOptions {
  kind: GeneratorKind;
  modelDir: string;
  /** Threads of the ONNX runtime, per step. */
  threads: number;
  /** Environment variables that endpoint targets may name as their key; null = by rule. */
  allowedKeys: string[] | null;
}

/** @throws TypeError when the argument is not what EngineChild writes. */
export function parseChildOptions(argument: string | undefined): ChildOptions {
  const { kind, modelDir, threads, allowedKeys } = JSON.parse(argument ?? '{}') as Partial<ChildOptions>;
  const isKind = GENERATOR_KINDS.some((known) => known === kind);
  if (!isKind || typeof modelDir !== 'string' || !Number.isSafeInteger(threads) || allowedKeys === undefined) {
    throw new TypeError('this program is forked by the engine, with its options as JSON; it is not run by hand');
  }
  return { kind: kind!, modelDir, threads: threads!, allowedKeys };
}
