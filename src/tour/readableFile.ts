import { readdir, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

const favourites = ['README.md', 'readme.md', 'README', 'package.json', 'pyproject.toml', 'Cargo.toml', 'go.mod'];
const textEndings = new Set([
  '.md',
  '.txt',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.py',
  '.go',
  '.rs',
  '.java',
  '.c',
  '.cpp',
  '.cs',
  '.rb',
  '.json',
  '.toml',
  '.yaml',
  '.yml',
  '.html',
  '.css',
  '.sh',
]);
const largest = 200_000;

/**
 * Returns the absolute path of a suitable text file directly in `folder`, or undefined; skips the files in `passOver`.
 */
export async function findReadableFile(
  folder: string,
  passOver: (name: string) => boolean,
): Promise<string | undefined> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const candidates = [
    ...favourites.filter((name) => names.includes(name)),
    ...names.filter((name) => textEndings.has(extname(name).toLowerCase())).sort(),
  ];
  for (const name of candidates) {
    if (passOver(name)) continue;
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info?.isFile() === true && info.size > 0 && info.size <= largest) return path;
  }
  return undefined;
}
