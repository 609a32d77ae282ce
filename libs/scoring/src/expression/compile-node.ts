import { ARITHMETIC, COMPARISONS } from './binary-operations.js';
import { BadExpressionError, UnresolvedError } from './expression-errors.js';
import { FILTERS } from './expression-filters.js';
import { METHODS } from './expression-methods.js';
import { type ArgumentNode, type BinaryNode, type CallNode, type ExpressionNode, type MemberNode } from './expression-node.js';
import { type Operation } from './expression-operation.js';
import { findTest, testNames } from './expression-tests.js';
import { isTruthy, memberOf, type Value } from './expression-value.js';
import { sliceValue } from './slice-value.js';
import { type WorkBudget } from '../work-budget.js';

/** Variables by name; those that are absent are undefined. */
export type Scope = Readonly<Record<string, Value>>;
export type Evaluate = (scope: Scope, work: WorkBudget) => Value;

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>(
  [
    ['true', true],
    ['false', false],
    ['none', null],
  ].flatMap(([name, value]): [string, Value][] => [
    [String(name), value],
    [String(name).replace(/^./, (first) => first.toUpperCase()), value],
  ]),
);

const MAX_DEPTH = 200;

/**
 * Turns a syntax tree into a function over plain JSON. Names, filters, methods and tests are looked up now, so that what an
 * expression cannot do is refused before any answer is seen.
 */
export class NodeCompiler {
  readonly #variables: ReadonlySet<string>;
  /** The variables that the expression reads. */
  readonly mentioned = new Set<string>();
  #depth = 0;

  constructor(variables: ReadonlySet<string>) {
    this.#variables = variables;
  }

  /** @throws BadExpressionError */
  compile(node: ExpressionNode): Evaluate {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new BadExpressionError(`has more than ${MAX_DEPTH} operations in a row or inside each other`);
    const evaluate = this.#compile(node);
    this.#depth -= 1;
    return evaluate;
  }

  #compile(node: ExpressionNode): Evaluate {
    switch (node.type) {
      case 'IntegerLiteral':
      case 'FloatLiteral':
      case 'StringLiteral': {
        const { value } = node;
        return () => value;
      }
      case 'ArrayLiteral':
      case 'TupleLiteral': {
        const items = node.value.map((item) => this.compile(item));
        return (scope, work) => items.map((item) => item(scope, work) ?? null);
      }
      case 'ObjectLiteral': {
        const members = [...node.value].map(([key, value]) => [this.compile(key), this.compile(value)] as const);
        return (scope, work) => Object.fromEntries(members.map(([key, value]) => [keyText(key(scope, work)), value(scope, work) ?? null]));
      }
      case 'Identifier':
        return this.#variable(node.value);
      case 'MemberExpression':
        return this.#member(node);
      case 'CallExpression':
        return this.#call(node);
      case 'FilterExpression': {
        const operand = this.compile(node.operand);
        const [name, args] = node.filter.type === 'Identifier' ? [node.filter.value, []] : [calleeName(node.filter), node.filter.args];
        return this.#operate(operand, known('filter', name, FILTERS), args);
      }
      case 'TestExpression': {
        const operand = this.compile(node.operand);
        const test = testNames.includes(node.test.value) ? findTest(node.test.value) : undefined;
        if (test === undefined) throw unknown('test', node.test.value, testNames);
        return (scope, work) => test(operand(scope, work), undefined, work) !== node.negate;
      }
      case 'UnaryExpression':
        return this.#unary(node.operator.value, this.compile(node.argument));
      case 'BinaryExpression':
        return this.#binary(node);
      case 'Ternary':
        return choose(this.compile(node.condition), this.compile(node.trueExpr), this.compile(node.falseExpr));
      case 'SelectExpression':
        return choose(this.compile(node.test), this.compile(node.lhs), () => undefined);
      default:
        throw new BadExpressionError('must be an expression: no statements, no text');
    }
  }

  #variable(name: string): Evaluate {
    if (CONSTANTS.has(name)) {
      const value = CONSTANTS.get(name);
      return () => value;
    }
    if (!this.#variables.has(name)) throw unknown('name', name, [...this.#variables]);
    this.mentioned.add(name);
    return (scope) => scope[name];
  }

  #member({ object, property, computed }: MemberNode): Evaluate {
    const owner = this.compile(object);
    if (property.type === 'SliceExpression') {
      const [start, stop, step] = [property.start, property.stop, property.step].map((bound) =>
        bound === undefined ? () => undefined : this.compile(bound),
      ) as [Evaluate, Evaluate, Evaluate];
      return (scope, work) => sliceValue(owner(scope, work), [start(scope, work), stop(scope, work), step(scope, work)], work);
    }
    if (computed) {
      const key = this.compile(property);
      return (scope, work) => memberOf(owner(scope, work), key(scope, work));
    }
    if (property.type !== 'Identifier' && property.type !== 'IntegerLiteral') throw new BadExpressionError('a name must follow the dot');
    const key = property.value;
    return (scope, work) => memberOf(owner(scope, work), key);
  }

  #call({ callee, args }: CallNode): Evaluate {
    if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier') {
      throw new BadExpressionError('only methods can be called, such as final_message.split()');
    }
    return this.#operate(this.compile(callee.object), known('method', callee.property.value, METHODS), args);
  }

  #operate(operand: Evaluate, { parameters, required, apply }: Operation, args: readonly ArgumentNode[]): Evaluate {
    const given = new Map<number, Evaluate>();
    for (const [index, argument] of args.entries()) {
      if (argument.type === 'SpreadExpression' || argument.type === 'KeywordSpreadExpression') {
        throw new BadExpressionError('arguments cannot be unpacked with *');
      }
      const keyword = argument.type === 'KeywordArgumentExpression';
      const place = keyword ? parameters.indexOf(argument.key.value) : index;
      if (place < 0 || place >= parameters.length || given.has(place)) {
        throw new BadExpressionError(parameters.length === 0 ? 'takes no argument' : `takes the arguments ${parameters.join(', ')}`);
      }
      given.set(place, this.compile(keyword ? argument.value : argument));
    }
    for (const [place, name] of parameters.slice(0, required).entries()) {
      if (!given.has(place)) throw new BadExpressionError(`needs the argument ${name}`);
    }
    const values = parameters.map((_, place) => given.get(place));
    return (scope, work) =>
      apply(
        operand(scope, work),
        values.map((value) => value?.(scope, work)),
        work,
      );
  }

  #unary(operator: string, argument: Evaluate): Evaluate {
    if (operator === 'not') return (scope, work) => !isTruthy(argument(scope, work));
    const sign = operator === '-' ? -1 : 1;
    return (scope, work) => {
      const value = argument(scope, work);
      if (typeof value === 'bigint') return BigInt(sign) * value;
      if (typeof value !== 'number') throw new UnresolvedError('a sign needs a number');
      return sign * value;
    };
  }

  #binary({ operator: { value: operator }, left: leftNode, right: rightNode }: BinaryNode): Evaluate {
    if (COMPARISONS.has(operator) && leftNode.type === 'BinaryExpression' && COMPARISONS.has(leftNode.operator.value)) {
      throw new BadExpressionError('compare two values at a time and join the comparisons with "and"');
    }
    const [left, right] = [this.compile(leftNode), this.compile(rightNode)];
    if (operator === 'and' || operator === 'or') {
      return (scope, work) => {
        const value = left(scope, work);
        return isTruthy(value) === (operator === 'and') ? right(scope, work) : value;
      };
    }
    const compute = COMPARISONS.get(operator) ?? ARITHMETIC.get(operator);
    if (compute === undefined) throw unknown('operator', operator, [...COMPARISONS.keys(), ...ARITHMETIC.keys()]);
    return (scope, work) => compute(left(scope, work), right(scope, work), work);
  }
}

function choose(condition: Evaluate, whenTrue: Evaluate, whenFalse: Evaluate): Evaluate {
  return (scope, work) => (isTruthy(condition(scope, work)) ? whenTrue(scope, work) : whenFalse(scope, work));
}

function keyText(key: Value): string {
  if (typeof key !== 'string') throw new UnresolvedError('keys of an object must be texts');
  return key;
}

function calleeName({ callee }: CallNode): string {
  if (callee.type !== 'Identifier') throw new BadExpressionError('a name must follow the bar');
  return callee.value;
}

function known(what: string, name: string, among: ReadonlyMap<string, Operation>): Operation {
  const found = among.get(name);
  if (found === undefined) throw unknown(what, name, [...among.keys()]);
  return found;
}

function unknown(what: string, name: string, known: readonly string[]): BadExpressionError {
  return new BadExpressionError(`unknown ${what} "${name}"; known: ${known.join(', ')}`);
}
