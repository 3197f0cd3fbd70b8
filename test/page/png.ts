import { crc32, deflateSync, inflateSync } from 'node:zlib';

/** A picture as its pixels: red, green and blue of each, row by row. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** A part of a picture, in its pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Reads a PNG as Chromium writes its screenshots: 8 bits a channel, not interlaced, nothing of it transparent. */
export function decodePng(file: Buffer): Picture {
  const width = file.readUInt32BE(16);
  const height = file.readUInt32BE(20);
  const channels = file[25] === 6 ? 4 : 3;
  if (!file.subarray(0, 8).equals(signature) || file[24] !== 8 || ![2, 6].includes(file[25] ?? 0) || file[28] !== 0) {
    throw new Error('This is not a PNG as Chromium writes them.');
  }
  const parts: Buffer[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = new Uint8Array(width * height * 3);
  let above = new Uint8Array(stride);
  for (let y = 0; y < height; y++) {
    const from = y * (stride + 1);
    const line = data.subarray(from + 1, from + 1 + stride);
    unfilter(data[from] ?? 0, line, above, channels);
    for (let x = 0, to = y * width * 3, at = 0; x < width; x++, at += channels, to += 3) {
      pixels[to] = line[at] ?? 0;
      pixels[to + 1] = line[at + 1] ?? 0;
      pixels[to + 2] = line[at + 2] ?? 0;
    }
    above = line;
  }
  return { width, height, pixels };
}

/** Turns a filtered line into its bytes, in place (https://www.w3.org/TR/png-3/#9Filters). */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  if (filter === 0) return;
  for (let at = 0; at < line.length; at++) {
    const left = at < step ? 0 : (line[at - step] ?? 0);
    const up = above[at] ?? 0;
    const corner = at < step ? 0 : (above[at - step] ?? 0);
    const byte = line[at] ?? 0;
    if (filter === 1) line[at] = byte + left;
    else if (filter === 2) line[at] = byte + up;
    else if (filter === 3) line[at] = byte + ((left + up) >> 1);
    else line[at] = byte + paeth(left, up, corner);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Writes a part of a picture as a PNG. */
export function encodePng(picture: Picture, box: Box): Buffer {
  const lines = Buffer.alloc((box.width * 3 + 1) * box.height);
  for (let y = 0; y < box.height; y++) {
    const from = ((box.y + y) * picture.width + box.x) * 3;
    lines.set(picture.pixels.subarray(from, from + box.width * 3), y * (box.width * 3 + 1) + 1);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(box.width, 0);
  header.writeUInt32BE(box.height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
