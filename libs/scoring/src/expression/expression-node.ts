/** The parser's syntax tree, as far as expressions go. Other node types are refused. */
export type ExpressionNode =
  | { readonly type: 'IntegerLiteral' | 'FloatLiteral'; readonly value: number }
  | { readonly type: 'StringLiteral'; readonly value: string }
  | { readonly type: 'ArrayLiteral' | 'TupleLiteral'; readonly value: readonly ExpressionNode[] }
  | { readonly type: 'ObjectLiteral'; readonly value: ReadonlyMap<ExpressionNode, ExpressionNode> }
  | NameNode
  | MemberNode
  | CallNode
  | { readonly type: 'FilterExpression'; readonly operand: ExpressionNode; readonly filter: NameNode | CallNode }
  | { readonly type: 'TestExpression'; readonly operand: ExpressionNode; readonly negate: boolean; readonly test: NameNode }
  | { readonly type: 'UnaryExpression'; readonly operator: Token; readonly argument: ExpressionNode }
  | BinaryNode
  | {
      readonly type: 'Ternary';
      readonly condition: ExpressionNode;
      readonly trueExpr: ExpressionNode;
      readonly falseExpr: ExpressionNode;
    }
  | { readonly type: 'SelectExpression'; readonly lhs: ExpressionNode; readonly test: ExpressionNode };

export interface Token {
  readonly value: string;
}

export interface NameNode {
  readonly type: 'Identifier';
  readonly value: string;
}

export interface MemberNode {
  readonly type: 'MemberExpression';
  readonly object: ExpressionNode;
  readonly property: ExpressionNode | SliceNode;
  /** `a[b]`, not `a.b`. */
  readonly computed: boolean;
}

export interface SliceNode {
  readonly type: 'SliceExpression';
  readonly start: ExpressionNode | undefined;
  readonly stop: ExpressionNode | undefined;
  readonly step: ExpressionNode | undefined;
}

export interface CallNode {
  readonly type: 'CallExpression';
  readonly callee: ExpressionNode;
  readonly args: readonly ArgumentNode[];
}

export type ArgumentNode =
  | ExpressionNode
  | { readonly type: 'KeywordArgumentExpression'; readonly key: NameNode; readonly value: ExpressionNode }
  | { readonly type: 'SpreadExpression' }
  | { readonly type: 'KeywordSpreadExpression' };

export interface BinaryNode {
  readonly type: 'BinaryExpression';
  readonly operator: Token;
  readonly left: ExpressionNode;
  readonly right: ExpressionNode;
}
