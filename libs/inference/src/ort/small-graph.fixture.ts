import { newTensor } from '../onnx/graph/new-tensor.js';
import { bytesField, joinPieces, type Pieces, textField, varintField } from '../onnx/graph/protobuf-writer.js';
import { ELEMENTS, type OrtElement } from './ort-element.js';

type Shape = readonly (number | string)[];

interface SmallGraph {
  inputs: Readonly<Record<string, readonly [type: OrtElement, shape: Shape]>>;
  outputs: Readonly<Record<string, readonly [type: OrtElement, shape: Shape]>>;
  nodes: readonly (readonly [operator: string, inputs: readonly string[], output: string])[];
  /** float32. Overridable when an input has the same name. */
  initializers?: Readonly<Record<string, readonly [shape: readonly number[], values: readonly number[]]>>;
}

/** An ONNX file with the given nodes. */
export function smallGraph({ inputs, outputs, nodes, initializers = {} }: SmallGraph): Uint8Array {
  const graph: Pieces = [
    ...nodes.flatMap(([operator, names, output]) =>
      bytesField(1, [
        ...names.map((name) => textField(1, name)),
        textField(2, output),
        textField(3, `make ${output}`),
        textField(4, operator),
      ]),
    ),
    textField(2, 'small'),
    ...Object.entries(initializers).flatMap(([name, [shape, values]]) =>
      bytesField(5, [newTensor(name, [...shape], ELEMENTS.float32.code, Float32Array.from(values)).bytes]),
    ),
    ...Object.entries(inputs).flatMap(([name, [type, shape]]) => bytesField(11, port(name, type, shape))),
    ...Object.entries(outputs).flatMap(([name, [type, shape]]) => bytesField(12, port(name, type, shape))),
  ];
  return joinPieces([varintField(1, 8), ...bytesField(7, graph), ...bytesField(8, [textField(1, ''), varintField(2, 17)])]);
}

function port(name: string, type: OrtElement, shape: Shape): Pieces {
  const dims = shape.flatMap((size) => bytesField(1, [typeof size === 'number' ? varintField(1, size) : textField(2, size)]));
  return [textField(1, name), ...bytesField(2, bytesField(1, [varintField(1, ELEMENTS[type].code), ...bytesField(2, dims)]))];
}

/** y = x·w, with x [n, 2] and w the matrix [[1, 2], [3, 4]]. */
export function productGraph(): Uint8Array {
  return smallGraph({
    inputs: { x: ['float32', ['n', 2]] },
    outputs: { y: ['float32', ['n', 2]] },
    nodes: [['MatMul', ['x', 'w'], 'y']],
    initializers: {
      w: [
        [2, 2],
        [1, 2, 3, 4],
      ],
    },
  });
}

/** y = x·w + x·a·b, where a [2, rank] and b [rank, 2] may be fed and have rank 0 if not. */
export function adaptedGraph(): Uint8Array {
  return smallGraph({
    inputs: { x: ['float32', ['n', 2]], a: ['float32', [2, 'rank']], b: ['float32', ['rank', 2]] },
    outputs: { y: ['float32', ['n', 2]] },
    nodes: [
      ['MatMul', ['x', 'w'], 'base'],
      ['MatMul', ['x', 'a'], 'down'],
      ['MatMul', ['down', 'b'], 'up'],
      ['Add', ['base', 'up'], 'y'],
    ],
    initializers: {
      w: [
        [2, 2],
        [1, 2, 3, 4],
      ],
      a: [[2, 0], []],
      b: [[0, 2], []],
    },
  });
}

/** y = x·w·w·…, square matrices: takes as long as `products` and the size of what is fed say. */
export function longGraph(products: number): Uint8Array {
  const nodes = Array.from({ length: products }, (_, index) => {
    const from = index === 0 ? 'x' : `h${index}`;
    return ['MatMul', [from, 'w'], index === products - 1 ? 'y' : `h${index + 1}`] as const;
  });
  return smallGraph({
    inputs: { x: ['float32', ['n', 'n']], w: ['float32', ['n', 'n']] },
    outputs: { y: ['float32', ['n', 'n']] },
    nodes,
  });
}
