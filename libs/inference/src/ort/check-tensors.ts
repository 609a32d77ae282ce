import { type OrtTensor, type TensorSpec } from './ort-session.js';

export type Role = 'input' | 'output';

/**
 * That a tensor is what the graph declares. Sizes that the graph leaves free, and how they hang together, are the runtime's to check.
 * @throws TypeError for another type, RangeError for another shape; both name the tensor.
 */
export function checkTensor(role: Role, { name, type, shape }: TensorSpec, tensor: OrtTensor): void {
  if (type !== tensor.type) throw new TypeError(`${role} ${name} is ${type ?? 'of a type that cannot be used here'}, not ${tensor.type}`);
  const fits = shape.length === tensor.shape.length && shape.every((size, axis) => typeof size === 'string' || size === tensor.shape[axis]);
  if (fits) return;
  const declared = shape.map((size) => (size === '' ? '?' : size)).join(', ');
  throw new RangeError(`${role} ${name} has the shape [${declared}], not [${tensor.shape.join(', ')}]`);
}

/** That every input is fed. @throws TypeError with the names of those that are missing. */
export function checkComplete(inputs: readonly TensorSpec[], feeds: Readonly<Record<string, unknown>>): void {
  const missing = inputs.filter(({ name }) => !Object.hasOwn(feeds, name)).map(({ name }) => name);
  if (missing.length > 0) throw new TypeError(`input ${missing.join(', ')} is not fed`);
}

/** @throws TypeError with the names that there are. */
export function getSpec(role: Role, specs: ReadonlyMap<string, TensorSpec>, name: string): TensorSpec {
  const spec = specs.get(name);
  if (spec === undefined) throw new TypeError(`the graph has no ${role} ${name}; it has ${[...specs.keys()].join(', ')}`);
  return spec;
}
