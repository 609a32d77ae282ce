/**
 * A form in which texts that differ only in case are equal. Upper case first, so that `ß` and `SS`, which have no
 * common lower case, meet; then lower case, because upper case alone keeps `ı` and `I` together but splits `ſ` variants.
 * Does no Unicode normalisation: é written as one or as two code points stays different.
 */
export function foldCase(text: string): string {
  return text.toUpperCase().toLowerCase();
}
