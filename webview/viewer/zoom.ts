/** A width and a height, in px. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Where an image is in its frame: the position of its top left corner in px, and its scale. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** The limits of the scale. */
const smallest = 0.05;
const largest = 16;

/** Returns the view that shows the whole image in the middle. An image is enlarged at most to `limit`. */
export function fitted(image: Size, frame: Size, limit: number): View {
  return centered(image, frame, Math.min(limit, frame.width / image.width, frame.height / image.height));
}

/** Returns the view that shows the middle of the image at a scale. */
export function centered(image: Size, frame: Size, scale: number): View {
  const within = Math.min(largest, Math.max(smallest, scale));
  return {
    x: (frame.width - image.width * within) / 2,
    y: (frame.height - image.height * within) / 2,
    scale: within,
  };
}

/** Returns the view after zooming by a factor. The point of the image at `x`, `y` of the frame stays where it is. */
export function zoomed(view: View, factor: number, x: number, y: number): View {
  const scale = Math.min(largest, Math.max(smallest, view.scale * factor));
  const by = scale / view.scale;
  return { x: x - (x - view.x) * by, y: y - (y - view.y) * by, scale };
}

/** Returns a view that keeps the image in sight: it is in the middle where it fits, and covers the frame where it doesn't. */
export function kept(view: View, image: Size, frame: Size): View {
  const along = (at: number, length: number, room: number) =>
    length <= room ? (room - length) / 2 : Math.min(0, Math.max(room - length, at));
  return {
    x: along(view.x, image.width * view.scale, frame.width),
    y: along(view.y, image.height * view.scale, frame.height),
    scale: view.scale,
  };
}
