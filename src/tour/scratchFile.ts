import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { TurnOutput } from './turnOutput';

/** The file that the tour writes; without a text it is not there yet. */
export interface ScratchFile {
  readonly name: string;
  readonly path: string;
  readonly text: string | undefined;
}

/** What every file of the tour begins with, and how it knows that a file is its own. */
export const heading = '# Parley tour';

const mostNames = 100;

/** Whether a file of this name may be one of the tour's. */
export function isScratchName(name: string): boolean {
  return /^parley-tour(-\d+)?\.md$/.test(name);
}

/** The tour's own file in a folder: a name that is free or that the tour has written before. What is the user's is never taken. */
export async function findScratchFile(
  output: TurnOutput,
  folder: string,
  throughClient: boolean,
): Promise<ScratchFile> {
  for (let number = 1; number <= mostNames; number += 1) {
    const name = number === 1 ? 'parley-tour.md' : `parley-tour-${number}.md`;
    const path = join(folder, name);
    try {
      const text = await readCurrent(output, path, throughClient);
      if (text === undefined || text.startsWith(heading)) return { name, path, text };
    } catch {
      // A folder, or no text: it is not the tour's.
      output.signal.throwIfAborted();
    }
  }
  throw RequestError.internalError(undefined, `There are ${mostNames} files named parley-tour-….md that are not mine.`);
}

/** Text of a file, or undefined when there is none. */
export async function readCurrent(
  output: TurnOutput,
  path: string,
  throughClient: boolean,
): Promise<string | undefined> {
  try {
    return await readText(output, path, throughClient);
  } catch (error) {
    output.signal.throwIfAborted();
    const missing =
      (error instanceof RequestError && error.code === -32002) ||
      (error instanceof Error && 'code' in error && error.code === 'ENOENT');
    if (missing) return undefined;
    throw error;
  }
}

/** Text of a file, as the editor shows it where the client reads files; of its first lines when `limit` is given. */
export async function readText(
  { client, sessionId }: TurnOutput,
  path: string,
  throughClient: boolean,
  limit?: number,
): Promise<string> {
  if (throughClient) {
    const { content } = await client.request(methods.client.fs.readTextFile, { sessionId, path, limit: limit ?? null });
    return content;
  }
  const text = await readFile(path, 'utf8');
  return limit === undefined
    ? text
    : text
        .split(/(?<=\n)/)
        .slice(0, limit)
        .join('');
}
