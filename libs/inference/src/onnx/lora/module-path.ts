/** Wrappers around the text model that adapters and graphs name differently, or not at all. */
const WRAPPERS = /^(?:(?:base_model|model|language_model|text_model|transformer|decoder)\.)+/;

/** Endings of weight names below the module: `q_proj.MatMul.weight_Q4`, `q_proj.weight`, `q_proj.MatMul.qweight`. */
const ENDING = /\.(?:(?:MatMul|Gemm|FusedMatMul|MatMulNBits)(?:_\w+)?|(?:q?weight|w)\w*)$/i;

/**
 * A module's path in the form that adapters and graphs share: `layers.0.attn.q_proj` for
 * `model.layers.0.self_attn.q_proj`, for the node `/model/layers.0/attn/q_proj/MatMul` and for the weight
 * `model.layers.0.attn.q_proj.MatMul.weight`. Exporters name the attention block `attn` or `self_attn`.
 */
export function moduleKey(name: string): string {
  // A node's name is a path whose last part is the operator.
  let path = name.startsWith('/') ? name.slice(1).split('/').slice(0, -1).join('.') : name;
  while (!name.startsWith('/') && ENDING.test(path)) path = path.replace(ENDING, '');
  return path.replace(WRAPPERS, '').replace(/(^|\.)self_attn\./, '$1attn.');
}

/** Whether a name says which module it belongs to: `node_MatMul_12` and `onnx::MatMul_880` do not. */
export function namesModule(name: string): boolean {
  const key = moduleKey(name);
  return key !== '' && !/^(onnx::|node_|n\d|val_|_)/.test(key) && (/\.\d+\./.test(key) || /^[a-z_]+$/.test(key));
}
