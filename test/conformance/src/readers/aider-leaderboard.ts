import { type OtherDataSet } from '../data-set.js';

/** Rates and costs of models, without questions or answers. */
export const aiderLeaderboard: OtherDataSet = {
  kind: 'other',
  name: 'aider_leaderboard',
  file: 'aider_edit_leaderboard.jsonl',
  why: 'results of finished runs: there is no question to import',
};
