import { describe, expect, it } from 'vitest';
import { kindOf, scoreAnswer } from './score-answer.fixture.js';
import { compileChoiceReader } from './read-choice.js';

const ABCD = { kind: 'multiple_choice' };
const read = (text: string, choices = ['A', 'B', 'C', 'D']): string => {
  const reading = compileChoiceReader(choices)(text);
  return reading.kind === 'choice' ? reading.label : reading.kind;
};

describe('reading a choice', () => {
  it.each([
    // C01: wrappers
    ['ANSWER: $B$', 'B'],
    ['**B**', 'B'],
    ['(B)', 'B'],
    ['ANSWER: **B**.', 'B'],
    ['**Answer:** `B`', 'B'],
    ['**Answer**: _B_', 'B'],
    ['Answer: \\boxed{B}', 'B'],
    ['The answer is $\\boxed{\\text{B}}$.', 'B'],
    ['Answer: "B"', 'B'],
    ['Answer：B', 'B'],
    ['Answer: option (B) because…', 'B'],
    // C02: words are not read letter by letter
    ["ANSWER: Don't know", 'none'],
    ['ANSWER: None of the above', 'none'],
    ['ANSWER: All of the above', 'none'],
    ['BAD', 'none'],
    ['vitamin-D, D.C., A-level', 'none'],
    // C03: the word behind the marker is not a label, and the last answer wins
    ['Answer: Definitely C', 'C'],
    ['Answer: Because of this.\nAnswer: C', 'C'],
    ['Answer: A\nNo, wait.\nAnswer: B', 'B'],
    ['First Answer: A. Final answer: B', 'B'],
    // C04: case, and lists
    ['answer: b', 'B'],
    ['b', 'B'],
    ['ANSWER: A, B and C', 'several'],
    ['Answer: A/B', 'several'],
    ['It could be A or B', 'several'],
    ['Answer: B and only B', 'B'],
    ['Answer: B, because B is even', 'B'],
    // C06: nothing is read across a line break
    ['Answer:\nAnother try.\nAnswer: C', 'C'],
    ['Answer:\nA dog barks.\nC it is', 'C'],
    // the order of the places
    ['C is tempting, but the answer is D', 'D'],
    ['The answer is B. ANSWER: C', 'C'],
    ['C. The others are wrong', 'C'],
    ['I would pick D here', 'D'],
    ['Between A and B, I choose B.', 'B'],
    // articles and pronouns
    ['The answer is a dog', 'none'],
    ['A dog barks. So I pick B', 'B'],
    ['A is right', 'A'],
    ['Answer: A because it is', 'A'],
    ['Answer: A', 'A'],
    ['C is a good choice', 'C'],
    // denial
    ['It is C, not B.', 'C'],
    ["It isn't B", 'none'],
    ['The answer is not (B)', 'none'],
    ['C is not the answer', 'none'],
    ["**C** isn't right", 'none'],
    ['C was not it', 'none'],
    ['Answer: B is wrong', 'none'],
    ['Answer: B is clearly incorrect.', 'none'],
    ['Answer: (B) is a false choice', 'none'],
    ['B cannot be right', 'none'],
    ['Answer: anything but B', 'none'],
    ['All except B', 'none'],
    ['All options but B', 'none'],
    ['Answer: not B', 'none'],
    ['It is not option B', 'none'],
    ['Not the answer: B', 'none'],
    ['It is not A or B', 'none'],
    ['Neither A nor B', 'none'],
    ['A and B are wrong', 'none'],
    ['The wrong answer is $\\boxed{A}$', 'none'],
    ['Incorrect answer: **A**', 'none'],
    ['Right answer: B. Wrong answer: A', 'B'],
    ['Right answer: B. Wrong answers: A, C', 'B'],
    ['Answer: B is wrong. Answer: C', 'C'],
    ['Answer: C. But B is not', 'C'],
    ['The answer is D. The answer is B is wrong.', 'D'],
    ['C rather than B', 'C'],
    ['A, B and C are wrong, so D', 'D'],
    ['D, since A is not prime', 'D'],
    // what only looks like a denial
    ['Not A but B', 'B'],
    ['B is not wrong', 'B'],
    ['B is not only likely but certain', 'B'],
    ['Answer: B. It is not hard', 'B'],
    ['I know: B', 'B'],
    ['I am not sure, but B', 'B'],
    ['My first answer was wrong. B', 'B'],
    ['The answer is B\nis not a line of it', 'B'],
    // other scripts write without spaces
    ['答案是B。', 'B'],
    ['', 'none'],
    ['I am not sure.', 'none'],
  ])('%j → %s', (text, label) => {
    expect(read(text)).toBe(label);
  });

  it('compares labels as strings, not character by character (C05)', () => {
    const choices = Array.from({ length: 40 }, (_, index) => String(index + 1));
    expect(read('Answer: 10', choices)).toBe('10');
    expect(read('Answer: 1', choices)).toBe('1');
    expect(read('Answer: 3.5', choices)).toBe('none');
    expect(read('Answer: yes', ['Yes', 'No'])).toBe('Yes');
    expect(read('I am', ['A', 'I'])).toBe('none');
    expect(read('Answer: [x].', ['[x]', '^', '-'])).toBe('[x]');
  });

  it('is linear on hostile text', () => {
    for (const text of [
      'answer: ',
      'answer is ',
      'option',
      'A, ',
      '*',
      ' ',
      '\\text{',
      'not ',
      'A and ',
      '\t_',
      'B is ',
      'not B ',
      'B is wrong ',
      'wrong answer ',
      'all but ',
    ].map((part) => part.repeat(60_000))) {
      const started = performance.now();
      read(text);
      read(`answer is${text}`);
      read(`A${text}`);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

describe('multiple_choice', () => {
  it('compares with target and aliases, without case', () => {
    expect(kindOf(ABCD, 'Answer: B', 'b')).toBe('pass');
    expect(kindOf(ABCD, 'Answer: C', 'B')).toBe('fail');
    expect(kindOf(ABCD, 'Answer: C', 'B', ['C'])).toBe('pass');
    expect(kindOf({ ...ABCD, choices: ['True', 'False'] }, 'The answer is true.', 'True')).toBe('pass');
  });

  it('passes each label against itself and fails every other', () => {
    for (const target of 'ABCD')
      for (const answer of 'ABCD') expect(kindOf(ABCD, answer, target)).toBe(answer === target ? 'pass' : 'fail');
  });

  it('never guesses', () => {
    expect(scoreAnswer(ABCD, 'no idea', { target: 'A' })).toEqual({ kind: 'invalid', score: 0, detail: { reason: 'no_choice' } });
    expect(scoreAnswer(ABCD, 'A or B', { target: 'A' })).toEqual({
      kind: 'invalid',
      score: 0,
      detail: { reason: 'several_choices', answers: ['A', 'B'] },
    });
  });

  it.each([null, 'E', 'A, B', ''])('cannot grade against the target %j', (target) => {
    expect(kindOf(ABCD, 'A', target)).toBe('error');
  });
});
