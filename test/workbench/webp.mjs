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
