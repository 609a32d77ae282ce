import { RE2JS } from 're2js';
import { compilePattern, type BadPattern, type Pattern } from '../compile-pattern.js';

/** General categories by the long names that ECMA-262 knows and RE2 does not. */
const CATEGORIES: Readonly<Record<string, string>> = {
  Letter: 'L',
  Cased_Letter: 'LC',
  Uppercase_Letter: 'Lu',
  Lowercase_Letter: 'Ll',
  Titlecase_Letter: 'Lt',
  Modifier_Letter: 'Lm',
  Other_Letter: 'Lo',
  Mark: 'M',
  Combining_Mark: 'M',
  Nonspacing_Mark: 'Mn',
  Spacing_Mark: 'Mc',
  Enclosing_Mark: 'Me',
  Number: 'N',
  Decimal_Number: 'Nd',
  digit: 'Nd',
  Letter_Number: 'Nl',
  Other_Number: 'No',
  Punctuation: 'P',
  punct: 'P',
  Connector_Punctuation: 'Pc',
  Dash_Punctuation: 'Pd',
  Open_Punctuation: 'Ps',
  Close_Punctuation: 'Pe',
  Initial_Punctuation: 'Pi',
  Final_Punctuation: 'Pf',
  Other_Punctuation: 'Po',
  Symbol: 'S',
  Math_Symbol: 'Sm',
  Currency_Symbol: 'Sc',
  Modifier_Symbol: 'Sk',
  Other_Symbol: 'So',
  Separator: 'Z',
  Space_Separator: 'Zs',
  Line_Separator: 'Zl',
  Paragraph_Separator: 'Zp',
  Other: 'C',
  Control: 'Cc',
  cntrl: 'Cc',
  Format: 'Cf',
};

/** An escaped character, or a property with its name. */
const ESCAPE = /\\(?:([pP])\{(?:(?:General_Category|gc|Script|sc)=)?(\w+)\}|[^])/g;

/**
 * Compiles a pattern of a JSON Schema, which is written as in ECMA-262, for the engine that takes linear time. What needs
 * look-around or back-references is refused.
 */
export function compileEcmaPattern(source: string): Pattern | BadPattern {
  const renamed = source.replace(ESCAPE, (escape, letter?: string, name?: string) => {
    if (letter === undefined || name === undefined) return escape;
    return `\\${letter}{${Object.hasOwn(CATEGORIES, name) ? CATEGORIES[name] : name}}`;
  });
  return compilePattern(RE2JS.translateRegExp(renamed), true);
}
