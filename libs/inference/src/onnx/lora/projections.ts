import { type OnnxModel, type OnnxNode } from '../graph/onnx-model.js';
import { AdapterError, type PeftAdapter } from './peft-adapter.js';

/** The shape of a projection; null where it cannot be seen in the file, as with quantised weights. */
export interface ProjectionSite {
  inFeatures: number | null;
  outFeatures: number | null;
}

/** Operators that a projection may be exported as. */
const OPERATORS = new Set(['MatMul', 'MatMulNBits', 'Gemm', 'FusedMatMul', 'MatMulInteger', 'DynamicQuantizeMatMul']);

/** A module path in the form that adapters and graphs share: exporters name the attention block `attn` or `self_attn`. */
export function projectionKey(modulePath: string): string {
  return modulePath.replace(/\bself_attn\b/, 'attn');
}

/** A graph's projections by key: the node `/model/layers.0/attn/q_proj/MatMul` is `model.layers.0.attn.q_proj`. */
export function findProjections(model: OnnxModel): Map<string, { node: OnnxNode; site: ProjectionSite }> {
  const shapes = new Map(model.initializers.map(({ name, dims }) => [name, dims]));
  const projections = new Map<string, { node: OnnxNode; site: ProjectionSite }>();
  for (const node of model.nodes) {
    if (!OPERATORS.has(node.opType)) continue;
    const path = node.name
      .replace(/^\//, '')
      .replace(/\/[^/]*$/, '')
      .replaceAll('/', '.');
    const dims = node.opType === 'MatMul' ? shapes.get(node.inputs[1] ?? '') : undefined;
    const [inFeatures = null, outFeatures = null] = dims?.length === 2 ? dims : [];
    if (path !== '') projections.set(projectionKey(path), { node, site: { inFeatures, outFeatures } });
  }
  return projections;
}

/** @throws AdapterError naming the first target that the graph does not have, or has in another shape. */
export function checkAdapterTargets(adapter: PeftAdapter, projections: ReadonlyMap<string, ProjectionSite>): void {
  for (const [path, update] of adapter) {
    const site = projections.get(projectionKey(path));
    if (site === undefined) throw new AdapterError(`the adapter targets ${path}, which the graph does not have as a projection of its own`);
    const { inFeatures, outFeatures } = site;
    if ((inFeatures ?? update.inFeatures) !== update.inFeatures || (outFeatures ?? update.outFeatures) !== update.outFeatures) {
      throw new AdapterError(
        `${path} is ${inFeatures} x ${outFeatures} in the model, but ${update.inFeatures} x ${update.outFeatures} in the adapter`,
      );
    }
  }
}
