/** White space, and what dresses a label. Bounded, so that a look back never costs more than a few steps. */
const DRESS = String.raw`(?:[ \t*_$"'“‘\x60(\[{]|\\\(|\\\[|\\(?:boxed|fbox|text|textbf|mathrm|mathbf)(?=\{)){0,12}`;

const GAP = String.raw`[ \t*_"“‘\x60(]{1,4}`;

const NOUN = '(?:options?|choices?|letters?|answers?)';

/** "not", "isn't", "cannot be", "not the answer": not "know", and not "I am not sure: B". */
const NOT = String.raw`(?:(?<!\p{L})(?:can)?not|n['’]t)(?:${GAP}(?:be|choose|pick|select))?(?:${GAP}the)?`;

/** "except", "anything but", "all other options but", "rather than". */
const EXCEPT = String.raw`(?<!\p{L})(?:except(?:${GAP}for)?|excluding|neither|nor|other${GAP}than|rather${GAP}than|instead${GAP}of|(?:anything|everything|(?:all|any|every)(?:${GAP}other)?(?:${GAP}${NOUN})?)${GAP}but)`;

/** "wrong answer:", "the incorrect options are". */
const WRONG_ANSWER = String.raw`(?<!\p{L})(?:wrong|incorrect|false)${GAP}${NOUN}[*_ \t]{0,4}(?:[:：]|(?:is|was|are|were)(?!\p{L})(?:[ \t]?[:：])?)?`;

/** What denies the label that begins at `lastIndex`. */
const IN_FRONT = new RegExp(String.raw`(?<=(?:(?:${NOT}|${EXCEPT})(?:${GAP}${NOUN})?[:：]?|${WRONG_ANSWER})(?!\p{L})${DRESS})`, 'iuy');

/** What denies the label that ends at `lastIndex`: "is not", "isn't", "is clearly wrong". "Is not wrong" and "is not only" deny nothing. */
const BEHIND =
  /[ \t*_$"'”’\x60)\]}]*(?<=[ \t*_$"'”’\x60)\]}])(?:(?:is|was|are|were)(?:n['’]t|[ \t]+(?:\p{L}{1,20}ly[ \t]+)?not)(?![ \t]+(?:wrong|incorrect|false|only|just)(?!\p{L}))|(?:can(?:not|['’]t|[ \t]+not)[ \t]+be)|(?:is|was|are|were)[ \t]+(?:\p{L}{1,20}ly[ \t]+|(?:an?|the|all|both)[ \t]+)?(?:wrong|incorrect|false))(?!\p{L})/iuy;

/**
 * Whether the text denies what stands from `start` to `end`, a choice label or a list of them, in the words right in front of
 * it or right behind it: "not B", "anything but B", "wrong answer: B", "B is not the answer", "B is wrong".
 */
export function isDenied(text: string, start: number, end: number): boolean {
  return matchesAt(IN_FRONT, text, start) || matchesAt(BEHIND, text, end);
}

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(text);
}
