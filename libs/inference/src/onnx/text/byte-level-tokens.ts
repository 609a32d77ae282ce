interface TokenizerFile {
  decoder?: { type?: string; decoders?: { type?: string }[] } | null;
  model?: { type?: string; vocab?: unknown };
  added_tokens?: { id: number; content: string }[];
}

/**
 * What each token of a byte-level BPE vocabulary writes, by token id; null when the tokenizer is of another kind. With it a
 * completion's bytes are exact even where the model breaks a character, which decoded text would hide.
 */
export function byteLevelTokens(tokenizer: object): (Uint8Array | undefined)[] | null {
  const { decoder, model, added_tokens: added } = tokenizer as TokenizerFile;
  const decoders = decoder?.type === 'Sequence' ? (decoder.decoders ?? []) : decoder ? [decoder] : [];
  const isByteLevel = decoders.length === 1 && decoders[0]!.type === 'ByteLevel';
  const vocabulary = model?.vocab;
  if (!isByteLevel || typeof vocabulary !== 'object' || vocabulary === null || Array.isArray(vocabulary)) return null;
  const byteOf = byteByCharacter();
  const tokens: (Uint8Array | undefined)[] = [];
  for (const [token, id] of Object.entries(vocabulary as Record<string, number>)) {
    const bytes = Array.from(token, (character) => byteOf.get(character));
    tokens[id] = bytes.every((byte) => byte !== undefined) ? Uint8Array.from(bytes) : Buffer.from(token);
  }
  for (const { id, content } of added ?? []) tokens[id] = Buffer.from(content);
  return tokens;
}

/**
 * Byte-level vocabularies write each byte as a printable character: printable Latin-1 as itself, the 68 others, in
 * order, as the characters from U+0100 on (Radford et al., GPT-2).
 */
function byteByCharacter(): Map<string, number> {
  const bytes = new Map<string, number>();
  let shifted = 0x100;
  for (let byte = 0; byte < 256; byte++) {
    const printable = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    bytes.set(String.fromCharCode(printable ? byte : shifted++), byte);
  }
  return bytes;
}
