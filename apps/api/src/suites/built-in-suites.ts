/** The suites that every server has from the start: YAML files in `suites/`, at the same distance from src and from dist. */
export const BUILT_IN_SUITES: readonly { readonly name: string; readonly file: URL }[] = [
  { name: 'qwen3.5-agentic-core', file: new URL('../../../../suites/qwen3.5-agentic-core.yaml', import.meta.url) },
];
