/** The size of a signature in bytes. With 4 KB, a long session fills about a third of it. */
const bytes = 4096;

/** Adds all sequences of three letters of a text to a signature, or begins one. */
export function signText(text: string, signature = new Uint8Array(bytes)): Uint8Array<ArrayBuffer> {
  const lower = text.toLowerCase();
  for (let at = 0; at + 3 <= lower.length; at++) {
    const bit = bitOf(lower, at);
    signature[bit >> 3] = (signature[bit >> 3] ?? 0) | (1 << (bit & 7));
  }
  return signature;
}

/** Returns false if a word in lower case can't be in the text of a signature. Words of one or two letters can always be. */
export function mayHave(signature: Uint8Array, word: string): boolean {
  for (let at = 0; at + 3 <= word.length; at++) {
    const bit = bitOf(word, at);
    if (((signature[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
  }
  return true;
}

function bitOf(text: string, at: number): number {
  const code = text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2);
  return Math.imul(code, 0x9e3779b1) >>> (32 - Math.log2(bytes * 8));
}
