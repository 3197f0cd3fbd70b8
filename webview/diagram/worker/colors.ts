/** Red, green, and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number];

/** Returns black or white, whichever can be read on a color. Undefined if it isn't a color. */
export function labelColorOn(color: string): string | undefined {
  const found = color === 'none' || color === 'transparent' ? undefined : rgb(color);
  return found && (isDarkColor(found) ? '#ffffff' : '#000000');
}

export function isDarkColor([red, green, blue]: Rgb): boolean {
  return (0.299 * red + 0.587 * green + 0.114 * blue) / 255 < 0.55;
}

export function mix(from: Rgb, to: Rgb, share: number): Rgb {
  return [0, 1, 2].map((part) => (from[part] ?? 0) * (1 - share) + (to[part] ?? 0) * share) as unknown as Rgb;
}

export function hex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** Parses any color of CSS, on a background if it is transparent. */
export function rgb(color: string, on: Rgb = [255, 255, 255]): Rgb | undefined {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context || !isColor(context, color)) return undefined;
  context.fillStyle = hex(on);
  context.fillRect(0, 0, 1, 1);
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

/** A canvas ignores what isn't a color. A worker has no other way to ask. */
function isColor(context: OffscreenCanvasRenderingContext2D, color: string): boolean {
  const [one, other] = ['#010203', '#040506'].map((before) => {
    context.fillStyle = before;
    context.fillStyle = color;
    return context.fillStyle;
  });
  return one === other;
}
