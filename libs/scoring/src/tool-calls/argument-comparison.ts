import { type Score, type ToolCallScorer } from '@kiln/contracts';
import { equalJsonValues } from '../json/equal-json.js';
import { type ScoringInput } from '../scoring-input.js';
import { argumentText, type Arguments } from './argument-value.js';
import { compareValues } from './compare-values.js';

/** A single argument that another scorer grades. */
export interface ArgumentQuestion {
  readonly key: string;
  readonly input: ScoringInput;
}

export interface ArgumentComparison {
  /** Matched keys ÷ target keys; 1 when the target has none. */
  readonly structure: number;
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** What must be asked before the content is known. */
  readonly questions: readonly ArgumentQuestion[];
  /** How right the values are, from 0 to 1. @param answers in the order of the questions */
  content(answers: readonly Score[]): number;
}

/**
 * Compares the arguments of two calls. `keys_only` looks at no value, so its content is its structure; `structural` wants equal
 * arguments; `auto` takes the mean of {@link compareValues} over the target's keys; `per_key` the mean over those of the target's
 * keys that have a scorer, less a penalty for each extra key. A missing key counts 0.
 */
export function compareArguments(
  args: ToolCallScorer['args'],
  predicted: Arguments,
  target: Arguments,
  input: ScoringInput,
): ArgumentComparison {
  const keys = Object.keys(target);
  const has = (key: string): boolean => Object.hasOwn(predicted, key);
  const matched = keys.filter(has);
  const structure = keys.length === 0 ? 1 : matched.length / keys.length;
  const extra = Object.keys(predicted).filter((key) => !Object.hasOwn(target, key));
  const parts = { structure, extra, missing: keys.filter((key) => !has(key)), questions: [] };
  switch (args.kind) {
    case 'keys_only':
      return { ...parts, content: () => structure };
    case 'structural': {
      const isEqual = equalJsonValues(predicted, target);
      return { ...parts, content: () => (isEqual ? 1 : 0) };
    }
    case 'auto': {
      const sum = matched.reduce((total, key) => total + compareValues(key, predicted[key]!, target[key]!), 0);
      return { ...parts, content: () => (keys.length === 0 ? 1 : sum / keys.length) };
    }
    case 'per_key': {
      const graded = keys.filter((key) => Object.hasOwn(args.scorers, key));
      const questions = graded.filter(has).map((key) => ({ key, input: argumentInput(input, predicted, target, key) }));
      const penalty = args.extra_key_penalty * extra.length;
      const content = (answers: readonly Score[]): number => {
        const counted = answers.filter(({ kind }) => kind !== 'skipped');
        const size = graded.length - (answers.length - counted.length);
        const mean = size === 0 ? 1 : counted.reduce((total, { score }) => total + score, 0) / size;
        return Math.max(0, mean - penalty);
      };
      return { ...parts, questions, content };
    }
  }
}

/** The argument as the answer, and the target's as the target. */
function argumentInput(input: ScoringInput, predicted: Arguments, target: Arguments, key: string): ScoringInput {
  const text = argumentText(predicted[key]!);
  return {
    ...input,
    text,
    rawText: text,
    reasoningText: null,
    unclosedThinking: false,
    target: argumentText(target[key]!),
    aliases: [],
    toolCalls: null,
  };
}
