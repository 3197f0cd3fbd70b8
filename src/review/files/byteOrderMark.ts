/** The byte order mark at the start of a text file, named by its encoding. */
export type ByteOrderMark = 'none' | 'utf8' | 'utf16le' | 'utf16be';

const marks: readonly (readonly [mark: ByteOrderMark, bytes: readonly number[]])[] = [
  ['utf8', [0xef, 0xbb, 0xbf]],
  ['utf16le', [0xff, 0xfe]],
  ['utf16be', [0xfe, 0xff]],
];

/** Returns the byte order mark of a file's bytes. */
export function byteOrderMarkOf(bytes: Uint8Array): ByteOrderMark {
  return marks.find(([, start]) => start.every((byte, at) => bytes[at] === byte))?.[0] ?? 'none';
}
