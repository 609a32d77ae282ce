import { type DataSet } from './data-set.js';
import { aiderLeaderboard } from './readers/aider-leaderboard.js';
import { anthropicMessages } from './readers/anthropic-messages.js';
import { bbh } from './readers/bbh.js';
import { bfclIrrelevance, bfclMultiple, bfclParallel, bfclSimple } from './readers/bfcl.js';
import { contentParts, identity, shareGptDummy } from './readers/conversations.js';
import { drone } from './readers/drone.js';
import { eqBench } from './readers/eq-bench.js';
import { glaive } from './readers/glaive.js';
import { gsm8k } from './readers/gsm8k.js';
import { humanEvalDoctests, humanEvalTests } from './readers/humaneval.js';
import { ifeval } from './readers/ifeval.js';
import { intercodeBash } from './readers/intercode-bash.js';
import { math500, math500Boxed } from './readers/math500.js';
import { mmluStem } from './readers/mmlu-stem.js';
import { mtBench } from './readers/mt-bench.js';
import { preferences } from './readers/preferences.js';
import { promptfooClassification } from './readers/promptfoo.js';
import { qasc } from './readers/qasc.js';
import { svamp } from './readers/svamp.js';
import { tauAirline, tauWithSystem } from './readers/tau-bench.js';

/** In the order of the table: numbers, choices, text, code, tools, conversations, what only a judge can grade. */
export const DATA_SETS: readonly DataSet[] = [
  gsm8k,
  svamp,
  math500,
  math500Boxed,
  mmluStem,
  qasc,
  bbh,
  promptfooClassification,
  eqBench,
  ifeval,
  humanEvalDoctests,
  humanEvalTests,
  bfclSimple,
  bfclMultiple,
  bfclParallel,
  bfclIrrelevance,
  glaive,
  drone,
  anthropicMessages,
  intercodeBash,
  tauAirline,
  tauWithSystem,
  identity,
  shareGptDummy,
  contentParts,
  preferences,
  mtBench,
  aiderLeaderboard,
];
