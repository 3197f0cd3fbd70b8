import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { methods, RequestError } from '@agentclientprotocol/sdk';
import type { TurnOutput } from './turnOutput';

/** The file that the tour writes. `text` is absent if the file doesn't exist yet. */
export interface ScratchFile {
  readonly name: string;
  readonly path: string;
  readonly text: string | undefined;
}

/** The first line of every file by the tour, which identifies the file as the tour's. */
export const heading = '# Parley tour';

const mostNames = 100;

/** Returns whether a file of this name may be one of the tour's. */
export function isScratchName(name: string): boolean {
  return /^parley-tour(-\d+)?\.md$/.test(name);
}

/**
 * Returns the tour's file in a folder: an unused name, or a file that the tour wrote before. Never returns a user's
 * file.
 */
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
      // A folder or a binary file can't be the tour's.
      output.signal.throwIfAborted();
    }
  }
  throw RequestError.internalError(undefined, `There are ${mostNames} files named parley-tour-….md that are not mine.`);
}

/** Returns the text of a file, or undefined if it doesn't exist. */
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

/**
 * Returns the text of a file, as shown in the editor if the client reads files; only its first lines if `limit` is
 * given.
 */
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
