// @ts-check
// Makes WebP pictures with the browser's own encoder, and films of them.

/** @typedef {{ x: number, y: number, width: number, height: number }} Part */

/**
 * Resolves to a picture as WebP, or to a part of it. The quality is from 0 to 1; 1 loses nothing.
 * @param {import('playwright-core').Page} page any page of a browser
 * @param {Buffer} png
 * @param {{ quality: number, part?: Part }} options
 * @returns {Promise<Buffer>}
 */
export async function webpOf(page, png, { quality, part }) {
  const encoded = await page.evaluate(
    async ({ data, quality, part }) => {
      const whole = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
      const { x, y, width, height } = part ?? { x: 0, y: 0, width: whole.width, height: whole.height };
      const canvas = new OffscreenCanvas(width, height);
      // Without alpha, the file has nothing but the picture.
      canvas.getContext('2d', { alpha: false })?.drawImage(whole, -x, -y);
      const blob = await canvas.convertToBlob({ type: 'image/webp', quality });
      let text = '';
      for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
      return btoa(text);
    },
    { data: png.toString('base64'), quality, part },
  );
  return Buffer.from(encoded, 'base64');
}

/**
 * A film: its pictures, and for how many milliseconds each stays.
 * @typedef {{ png: Buffer, ms: number }} Scene
 */

/**
 * Resolves to a film that plays again and again. Of each picture, it has the part that differs from the one before.
 * @param {import('playwright-core').Page} page any page of a browser
 * @param {readonly Scene[]} scenes pictures of the same size
 * @param {number} quality from 0 to 1
 */
export async function filmOf(page, scenes, quality) {
  /** @type {{ part: Part, ms: number, image: Buffer }[]} */
  const frames = [];
  let width = 0;
  let height = 0;
  let before = '';
  for (const { png, ms } of scenes) {
    const data = png.toString('base64');
    const { size, part } = await page.evaluate(changedPart, { before, data });
    before = data;
    [width, height] = [size.width, size.height];
    const last = frames.at(-1);
    if (part) frames.push({ part, ms, image: imageOf(await webpOf(page, png, { quality, part })) });
    else if (last) last.ms += ms;
  }
  const canvas = Buffer.concat([uint(0x02, 4), uint(width - 1, 3), uint(height - 1, 3)]);
  const animation = Buffer.concat([uint(0, 4), uint(0, 2)]);
  const chunks = frames.map(({ part: { x, y, width, height }, ms, image }) => {
    const places = [uint(x / 2, 3), uint(y / 2, 3), uint(width - 1, 3), uint(height - 1, 3), uint(ms, 3)];
    // It takes the place of what was there.
    return chunk('ANMF', Buffer.concat([...places, uint(0x02, 1), image]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', canvas), chunk('ANIM', animation), ...chunks]);
  return chunk('RIFF', body);
}

/**
 * The part of a picture that differs from another one, at even coordinates. Runs in the page.
 * @param {{ before: string, data: string }} pictures
 */
async function changedPart({ before, data }) {
  const pixels = async (/** @type {string} */ png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
    context?.drawImage(image, 0, 0);
    const all = context?.getImageData(0, 0, image.width, image.height).data;
    return { size: { width: image.width, height: image.height }, colors: new Uint32Array(all?.buffer ?? []) };
  };
  const { size, colors } = await pixels(data);
  if (before === '') return { size, part: { x: 0, y: 0, ...size } };
  const old = (await pixels(before)).colors;
  let [left, top, right, bottom] = [size.width, size.height, -1, -1];
  for (let at = 0; at < colors.length; at++) {
    if (colors[at] === old[at]) continue;
    const x = at % size.width;
    const y = (at - x) / size.width;
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = y;
  }
  if (right < 0) return { size, part: undefined };
  const [x, y] = [left - (left % 2), top - (top % 2)];
  return { size, part: { x, y, width: right - x + 1, height: bottom - y + 1 } };
}

/** The picture's data without the file around it. @param {Buffer} webp */
function imageOf(webp) {
  for (let at = 12; at < webp.length; at += 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2)) {
    if (/^VP8[ L]$/.test(webp.toString('latin1', at, at + 4))) {
      return webp.subarray(at, at + 8 + webp.readUInt32LE(at + 4) + (webp.readUInt32LE(at + 4) % 2));
    }
  }
  throw new Error('The browser made no WebP picture.');
}

/** @param {string} name @param {Buffer} content */
function chunk(name, content) {
  const padding = Buffer.alloc(content.length % 2);
  return Buffer.concat([Buffer.from(name), uint(content.length, 4), content, padding]);
}

/** @param {number} value @param {number} bytes */
function uint(value, bytes) {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
