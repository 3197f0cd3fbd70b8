/** What is drawn smaller, and how. */
interface Pictures {
  size(file: File): Promise<{ readonly width: number; readonly height: number }>;
  draw(file: File, width: number, height: number): Promise<Blob>;
}

/** Models see no more of an image than this, in px. */
const maxSide = 2000;

/** Returns an image that is drawn smaller until it has at most `maxBytes`. Undefined if it can't be drawn. */
export async function scaledDown(file: File, maxBytes: number, pictures: Pictures = canvas): Promise<File | undefined> {
  try {
    const { width, height } = await pictures.size(file);
    for (let side = Math.min(maxSide, Math.max(width, height)); side >= 100; side = Math.floor(side * 0.7)) {
      const share = side / Math.max(width, height);
      const of = (length: number) => Math.max(1, Math.round(length * share));
      const drawn = await pictures.draw(file, of(width), of(height));
      if (drawn.size <= maxBytes) return new File([drawn], file.name, { type: drawn.type });
    }
    return undefined;
  } catch {
    // The browser can't read it, so its size can't change.
    return undefined;
  }
}

const canvas: Pictures = {
  size: async (file) => {
    const { width, height } = await createImageBitmap(file);
    return { width, height };
  },
  draw: async (file, width, height) => {
    const bitmap = await createImageBitmap(file, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' });
    const surface = new OffscreenCanvas(width, height);
    surface.getContext('2d')?.drawImage(bitmap, 0, 0);
    bitmap.close();
    return surface.convertToBlob({ type: file.type === 'image/jpeg' ? 'image/jpeg' : 'image/png', quality: 0.9 });
  },
};
