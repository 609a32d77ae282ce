import { type ScorerOf } from '@kiln/contracts';
import { checkBash, compileBash } from './code-runners/bash.js';
import { checkCodeEval, compileCodeEval } from './code-runners/code-eval.js';
import { checkPythonDoctest, compilePythonDoctest } from './code-runners/python-doctest.js';
import { checkClaimsJudge, compileClaimsJudge } from './judge/claims-judge.js';
import { checkLlmJudge, compileLlmJudge } from './judge/llm-judge.js';
import { checkPairwiseJudge, compilePairwiseJudge } from './judge/pairwise-judge.js';
import { type ExecutedDefinition } from './scorer-definition.js';
import { type ExecutedKind } from './scorer-kinds.js';

/** Scorers that ask a judge or run code: they work in `score` shards of their own. */
export const EXECUTED_SCORERS = {
  llm_judge: { version: 1, readsUnclosedThinking: true, check: checkLlmJudge, compile: compileLlmJudge },
  judge: { version: 1, check: checkClaimsJudge, compile: compileClaimsJudge },
  pairwise_judge: { version: 1, check: checkPairwiseJudge, compile: compilePairwiseJudge },
  python_doctest: { version: 1, check: checkPythonDoctest, compile: compilePythonDoctest },
  code_eval: { version: 1, check: checkCodeEval, compile: compileCodeEval },
  bash: { version: 1, check: checkBash, compile: compileBash },
} satisfies { [K in ExecutedKind]: ExecutedDefinition<ScorerOf<K>> };
