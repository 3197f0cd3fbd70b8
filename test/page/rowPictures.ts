import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isForLooking, type Chat } from './chat';
import {
  allowedCells,
  compareFingerprints,
  fingerprintOf,
  readFingerprint,
  writeFingerprint,
  type Fingerprint,
} from './fingerprint';
import type { Theme } from './pageServer';
import { pictures } from './pictures';
import { decodePng, encodePng, type Box, type Picture } from './png';

const shots = join(process.cwd(), 'out/shots/page');
const golden = join(process.cwd(), 'test/golden/look');
/** What stands above and below belongs to the picture: a part that is at another place looks different. */
const rim = 12;

/** The rows of the protocol's checklist whose pictures are taken from a look. */
export function rowsIn(look: string): readonly string[] {
  return Object.entries(pictures)
    .filter(([, picture]) => picture.look === look)
    .map(([row]) => row);
}

/** One picture of a page, and the parts of it that rows of the checklist show. */
export class PictureOfRows {
  private readonly chat: Chat;
  private readonly file: Buffer;
  private readonly picture: Picture;
  private readonly scale: number;

  private constructor(chat: Chat, file: Buffer, scale: number) {
    this.chat = chat;
    this.file = file;
    this.picture = decodePng(file);
    this.scale = scale;
  }

  /** `scale`: device pixels per CSS pixel of the page's window. */
  static async take(chat: Chat, scale: number): Promise<PictureOfRows> {
    return new PictureOfRows(chat, await chat.picture(), scale);
  }

  /** Writes the whole picture below `out/shots`; says where when it is kept because of a failure. */
  async keep(name: string, says = false): Promise<string[]> {
    return says ? [`the picture: ${await save(name, this.file)}`] : (await save(name, this.file), []);
  }

  /** What is wrong with the picture of a row; `UPDATE_GOLDEN=1` takes it for right. */
  async compare(row: string, theme: Theme): Promise<string[]> {
    const box = await this.boxOf(pictures[row]?.part ?? '');
    if (typeof box === 'string') return [`${row}: ${box}`];
    const name = `${row}-${theme}`;
    if (isForLooking) await save(name, this.partOf(box));
    if (process.env['UPDATE_GOLDEN'] === '1') {
      await mkdir(golden, { recursive: true });
      await writeFile(join(golden, `${name}.txt`), writeFingerprint(this.fingerprint(box)));
      return [];
    }
    const expected = await expectedOf(name);
    if (!expected) return [`${row} has no fingerprint yet: look at ${await save(name, this.partOf(box))}, ${renewal}`];
    const wrong = wrongWith(this.fingerprint(box, expected.cell), expected);
    return wrong === undefined
      ? []
      : [
          `${row} does not look as it did: ${wrong}. Look at ${await save(name, this.partOf(box))}; if it is right, ${renewal}`,
        ];
  }

  /** The fingerprint of a part. */
  fingerprint(box: Box, cell?: number): Fingerprint {
    return fingerprintOf(this.picture, box, this.scale, cell);
  }

  /** The stripe of the page that holds a part, in CSS pixels, or what is wrong with it. */
  async boxOf(part: string): Promise<Box | string> {
    const found = await this.chat.page.evaluate((selector) => {
      const boxes = [...document.querySelectorAll(selector)]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && height > 0);
      const top = Math.min(...boxes.map((box) => box.top));
      const bottom = Math.max(...boxes.map((box) => box.bottom));
      return { count: boxes.length, top, bottom, width: innerWidth, height: innerHeight };
    }, part);
    if (found.count === 0) return `nothing of "${part}" is in sight`;
    const top = Math.max(0, Math.floor(found.top) - rim);
    const bottom = Math.min(found.height, Math.ceil(found.bottom) + rim);
    if (bottom - top < rim) return `"${part}" is not on the page's screen`;
    return { x: 0, y: top, width: found.width, height: bottom - top };
  }

  private partOf(box: Box): Buffer {
    const [x, y, width, height] = [box.x, box.y, box.width, box.height].map((size) => size * this.scale);
    return encodePng(this.picture, { x, y, width, height } as Box);
  }
}

const renewal = 'run again with UPDATE_GOLDEN=1';

/** What is too different, in words; undefined when the two look the same. */
export function wrongWith(actual: Fingerprint, expected: Fingerprint): string | undefined {
  const { size, differing, cells, around } = compareFingerprints(actual, expected);
  if (size !== undefined) return size;
  if (!around || differing <= allowedCells) return undefined;
  const { x, y, width, height } = around;
  return `${differing} of ${cells} cells differ, within ${width} × ${height} px at ${x}, ${y}`;
}

async function expectedOf(name: string): Promise<Fingerprint | undefined> {
  const text = await readFile(join(golden, `${name}.txt`), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : readFingerprint(text);
}

async function save(name: string, file: Buffer): Promise<string> {
  await mkdir(shots, { recursive: true });
  await writeFile(join(shots, `${name}.png`), file);
  return `out/shots/page/${name}.png`;
}
