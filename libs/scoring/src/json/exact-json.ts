/** JSON as it was written, with one difference: an integer that no 64-bit float holds exactly is a bigint. */
export type ExactJson = null | boolean | number | bigint | string | ExactJson[] | ExactJsonObject;

/** Keys are any text: read own members only. */
export interface ExactJsonObject {
  [key: string]: ExactJson;
}
