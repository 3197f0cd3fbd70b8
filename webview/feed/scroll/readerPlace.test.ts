import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it, mock } from 'node:test';
import type { EntryId } from '../../../src/shared/values/ids';
import { ReaderPlace } from './readerPlace';
import type { RenderQueue } from '../../base/renderQueue';
import type { RowWindow } from '../rows/rowWindow';
import type { Scroller } from './scroller';

const place = { anchor: 'a7' as EntryId, offset: 3, atEnd: false };
let now = 0;
let frames: (() => void)[] = [];

/** Restores the place of a transcript at `top` px. `grow` returns how much the content above has grown by each frame. */
async function restored({ frameMs = 16, drawingMs = 0, grow = (_frame: number) => 0, isBusy = () => false }) {
  let top = 500;
  const feed = { scrollTop: 0 };
  const window = {
    has: () => true,
    scrollToPlace: () => {
      const hasMoved = feed.scrollTop !== top;
      feed.scrollTop = top;
      return hasMoved;
    },
  };
  const scroller = { stay: () => undefined, look: () => undefined, hand: { hasWorkedSince: () => false } };
  const drawn = Promise.resolve().then(() => (now += drawingMs));
  const queue = {
    flush: () => drawn,
    get isBusy() {
      return isBusy();
    },
  };
  const reader = new ReaderPlace(
    feed as unknown as HTMLElement,
    window as unknown as RowWindow,
    scroller as unknown as Scroller,
    queue as unknown as RenderQueue,
  );
  reader.restore(place);
  await drawn;
  await Promise.resolve();
  let count = 0;
  // The transcript keeps growing even if nothing watches it.
  for (let frame = 0; frame < 400; frame++) {
    top += grow(frame);
    now += frameMs;
    if (frames.length > 0) count++;
    for (const callback of frames.splice(0)) callback();
  }
  return { off: top - feed.scrollTop, count };
}

void describe('the reader’s place', () => {
  beforeEach(() => {
    now = 0;
    frames = [];
    mock.method(performance, 'now', () => now);
    Object.assign(globalThis, { requestAnimationFrame: (callback: () => void) => frames.push(callback) });
  });
  afterEach(() => {
    mock.restoreAll();
    Reflect.deleteProperty(globalThis, 'requestAnimationFrame');
  });

  void it('is restored until it has been stable for a moment', async () => {
    const { off, count } = await restored({ grow: (frame) => (frame === 20 ? 700 : 0) });
    assert.equal(off, 0);
    assert.ok(count < 60, `${count} frames`);
  });

  void it('is restored until entries have heights, even with slow frames', async () => {
    const { off } = await restored({ frameMs: 600, grow: (frame) => (frame > 0 && frame < 5 ? 700 : 0) });
    assert.equal(off, 0);
  });

  void it('excludes the time spent drawing', async () => {
    const { off } = await restored({ drawingMs: 5000, grow: (frame) => (frame < 5 ? 700 : 0) });
    assert.equal(off, 0);
  });

  void it('is not stable while entries are being drawn', async () => {
    let left = 60;
    const { off } = await restored({ isBusy: () => left-- > 0, grow: (frame) => (frame === 58 ? 700 : 0) });
    assert.equal(off, 0);
  });

  void it('is given up if it never becomes stable', async () => {
    const { count } = await restored({ grow: () => 1 });
    assert.ok(count > 100 && count < 300, `${count} frames`);
  });
});
