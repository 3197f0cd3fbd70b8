import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Where the cases are, from the root of the project, in which unit tests run. */
const folder = join('test', 'conformance', 'cases');

/** Reads which rows have a case, and the name of its test, from the text of the cases: only VS Code could load them. */
export async function readCases(): Promise<readonly (readonly [id: string, name: string])[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts'));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.flatMap((text) => {
    const found = text.matchAll(/^row(?:InWindow)?\(\s*'(?<id>\w+)',\s*(?<quote>['"`])(?<title>.*?)\k<quote>,\s/gm);
    return Array.from(found, ({ groups }) => [groups!['id']!, `${groups!['id']} ${groups!['title']}`] as const);
  });
}
