import { posix, win32 } from 'node:path';

/** Returns true if the usual file systems of a platform ignore case in names. */
export function ignoresCase(platform: NodeJS.Platform = process.platform): boolean {
  return platform === 'win32' || platform === 'darwin';
}

/**
 * Returns the usual spelling of an absolute path. Programs for Windows write long paths as `\\?\C:\a` and
 * `\\?\UNC\server\share`, which the editor's URIs can't have.
 */
export function plainPath(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform !== 'win32') return path;
  const [, share, drive] = /^[\\/]{2}[?.][\\/](?:(UNC[\\/])|(?=([a-z]:[\\/])))/i.exec(path) ?? [];
  if (share !== undefined) return `\\\\${path.slice(4 + share.length)}`;
  return drive === undefined ? path : path.slice(4);
}

/** Returns an absolute path with its drive letter, if any, in upper case, as the system writes it. */
export function withUpperDrive(path: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? path.replace(/^[a-z](?=:(?:[\\/]|$))/, (letter) => letter.toUpperCase()) : path;
}

/** Returns one string for all spellings of an absolute path. Ignores case where the file systems do. */
export function pathKey(path: string, platform: NodeJS.Platform = process.platform): string {
  if (platform === 'darwin') return folded(path);
  if (platform !== 'win32') return path;
  const normal = win32.normalize(plainPath(path, platform));
  const { root } = win32.parse(normal);
  return folded(normal.length > root.length ? normal.replace(/\\+$/, '') : normal);
}

/**
 * Returns the way from a folder to a path below it, with the system's separators, or undefined if the path isn't below
 * it. Both are absolute and normalized. The folder can be the root of a drive.
 */
export function wayBelow(
  folder: string,
  path: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const { sep } = platform === 'win32' ? win32 : posix;
  const start = folder.endsWith(sep) ? folder : folder + sep;
  if (path.length <= start.length) return undefined;
  const own = path.slice(0, start.length);
  const isSame = own === start || (ignoresCase(platform) && own.toLowerCase() === start.toLowerCase());
  return isSame ? path.slice(start.length) : undefined;
}

/**
 * Returns true for a network path (`\\host\share`) of another machine than the session's folder. Windows connects to a
 * machine as soon as a program looks at such a path, with the user's name and proof of the password, so nobody may look
 * before the user has allowed it.
 */
export function isForeignShare(path: string, cwd: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32') return false;
  const hostOf = (place: string) => /^[\\/]{2}([^\\/]+)/.exec(plainPath(place, platform))?.[1]?.toLowerCase();
  const host = hostOf(path);
  return host !== undefined && host !== hostOf(cwd);
}

/** The names of devices, which are files in every folder for many programs. */
const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])$/i;

/**
 * Returns true if a part of an absolute path isn't a plain name on Windows: a stream of a file (`a.txt:b`), a name with
 * a dot or space at its end, which many programs drop, or a device. Another program may mean another file by it.
 */
export function hasStrangeName(path: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform !== 'win32') return false;
  const plain = plainPath(path, platform);
  const { root } = win32.parse(plain);
  const names = plain.slice(root.length).split(/[\\/]+/);
  return names.some((name) => name.includes(':') || /[. ]$/.test(name) || devices.test(name.replace(/ *\..*$/s, '')));
}

/** Returns a path as most programs for Windows read it: without streams, and without dots and spaces at the end of names. */
export function withoutStrangeNames(path: string, platform: NodeJS.Platform = process.platform): string {
  if (!hasStrangeName(path, platform)) return path;
  const plain = plainPath(path, platform);
  const { root } = win32.parse(plain);
  const names = plain.slice(root.length).split(/[\\/]+/);
  return root + names.map((name) => name.replace(/:.*$/s, '').replace(/[. ]+$/, '') || name).join('\\');
}

function folded(path: string): string {
  return path.normalize('NFC').toLowerCase();
}
