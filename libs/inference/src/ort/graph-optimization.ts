/**
 * Rewrites that merge a projection with what follows it, which rounds in another way: a bias into MatMulNBits, a division into MatMul. A branch
 * for adapters lies between the two and keeps the runtime from it, so that a model's own answers would depend on whether it has adapters.
 */
export const DISABLED_OPTIMIZERS: readonly string[] = ['MatMulNBitsFusion', 'MatMulScaleFusion'];
