import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readFrontMatter } from '../../shared/text/frontMatter';
import { hasHiddenText, showHiddenOnOneLine } from '../../shared/text/visibleText';
import { fileKey, isMissing } from '../base/filePaths';
import { diskFiles } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';

/** A folder with prompts as Markdown files. */
export interface PromptPlace {
  readonly path: string;
  /** The workspace folder that it is in; empty for the user's own prompts. */
  readonly folder: string;
}

/** A prompt's file, as far as it is shown before the user has agreed to it. */
export interface PromptFile {
  readonly path: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
}

/** Why a file isn't offered. */
export type PromptProblem = 'link' | 'name' | 'size' | 'binary' | 'empty' | 'unreadable';

export interface PromptFolder {
  readonly prompts: readonly PromptFile[];
  readonly problems: readonly { readonly path: string; readonly problem: PromptProblem }[];
  /** How many files aren't read because there are too many. */
  readonly skipped: number;
}

/** Maximum size of a prompt in bytes, and number of prompts in a folder. */
export const mostBytes = 64 * 1024;
export const mostPrompts = 200;
const titleLength = 80;
const descriptionLength = 200;

/** Reads the prompts of a folder, in the order of their names. */
export async function readPromptFolder({ path, folder }: PromptPlace): Promise<PromptFolder> {
  const none = { prompts: [], problems: [], skipped: 0 };
  const place = await realFolder(path, folder !== '').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (place === undefined) return none;
  if (place === 'linked') return { ...none, problems: [{ path, problem: 'link' }] };
  const entries = (await readdir(place, { withFileTypes: true }))
    .filter(({ name }) => /\.md$/i.test(name) && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const prompts: PromptFile[] = [];
  const problems: { path: string; problem: PromptProblem }[] = [];
  for (const { name } of entries.slice(0, mostPrompts)) {
    const file = join(place, name);
    const read = await readPrompt(file);
    if (typeof read === 'string') problems.push({ path: file, problem: read });
    else prompts.push(read.file);
  }
  return { prompts, problems, skipped: Math.max(0, entries.length - mostPrompts) };
}

/** Reads a prompt's file: how it is listed, and the text that a message gets. */
export async function readPrompt(
  path: string,
): Promise<{ readonly file: PromptFile; readonly text: string } | PromptProblem> {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1, -'.md'.length);
  if (name === '' || hasHiddenText(name)) return 'name';
  let bytes: Uint8Array | undefined;
  try {
    bytes = (await diskFiles.read(path, mostBytes))?.bytes;
  } catch (error) {
    if (!(error instanceof FileProblem)) return 'unreadable';
    if (error.kind === 'tooLarge') return 'size';
    return error.kind === 'moved' ? 'link' : 'unreadable';
  }
  if (bytes === undefined) return 'unreadable';
  const whole = decode(bytes);
  if (whole === undefined) return 'binary';
  const { values, body } = readFrontMatter(whole);
  const text = body.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  if (text === '') return 'empty';
  const line = (key: string, length: number) => cut(showHiddenOnOneLine(values.get(key) ?? ''), length);
  const file = {
    path,
    name: name.replace(/\s+/g, '-'),
    title: line('title', titleLength),
    description: line('description', descriptionLength),
  };
  return { file, text };
}

/** Resolves to the folder's real path. A folder of a workspace that is a link isn't followed, nor one above it. */
async function realFolder(path: string, isOfWorkspace: boolean): Promise<string> {
  const real = await realpath(path);
  if (!isOfWorkspace) return real;
  const expected = join(await realpath(join(path, '..', '..')), '.parley', 'prompts');
  return fileKey(real) === fileKey(expected) ? real : 'linked';
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}
