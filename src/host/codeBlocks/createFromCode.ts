import { lstat } from 'node:fs/promises';
import { isAbsolute, join, normalize, parse, relative } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { encodeNew, writeDisk } from '../files/diskText';
import { editorUri, findUntitled } from '../files/documents';
import { askText } from '../ui/quickInput';
import { showWarning } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import { allowedTarget, existing, foldersOf, meanings } from './codePlaces';
import type { CodeReview, UsedCode } from './usedCode';
import { languageOf, namedCode, proposedName } from './namedFile';

/** Creates a file from a code block where the user says. Never replaces a file. The new file waits for review. */
export async function createFromCode(review: CodeReview, code: UsedCode): Promise<void> {
  const { session, info, text, hints } = code;
  const named = namedCode({ info, text });
  const proposed = named.path ?? (await firstNew(code, hints)) ?? proposedName(languageOf(info));
  const path = await askPath(code, proposed);
  if (path === undefined) return;
  await createFile(review, session, path, named.text);
}

/** Writes a new file at an absolute path and opens it. Resolves to whether it was created. */
export async function createFile(
  review: CodeReview,
  session: UsedCode['session'],
  path: string,
  text: string,
): Promise<boolean> {
  const target = await allowedTarget(session, path);
  if (!target) return false;
  const uri = await editorUri(target);
  const content = text.endsWith('\n') ? text : `${text}\n`;
  const written: boolean[] = [];
  if (findUntitled(target) === undefined && !(await isTaken(target.realPath))) {
    const bytes = await encodeNew(uri, content);
    // Written only if there is still nothing in its place.
    const write = async () => void written.push(await writeDisk(target.realPath, bytes, undefined));
    await review.applying(session, uri, write);
  }
  if (!written.includes(true)) {
    void showWarning(l10n.t('{0} already exists, so it wasn’t written.', target.path));
    return false;
  }
  const options = { viewColumn: targetColumn(), preview: false };
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), options);
  return true;
}

async function askPath(code: UsedCode, proposed: string): Promise<string | undefined> {
  const { session } = code;
  const [folder = ''] = foldersOf(session);
  const [meant = join(folder, proposed)] = meanings(session, proposed);
  const first = await freePath(meant);
  const way = relative(folder, first);
  const value = way.startsWith('..') || isAbsolute(way) ? first : way;
  const nameStart = Math.max(value.lastIndexOf('/'), value.lastIndexOf('\\')) + 1;
  const extension = value.lastIndexOf('.');
  const answer = await askText({
    title: l10n.t('Create file'),
    prompt: l10n.t('Path of the new file, relative to {0}', folder),
    value,
    valueSelection: [nameStart, extension > nameStart ? extension : value.length],
    validateInput: async (text) => {
      const path = absolute(folder, text);
      if (path === undefined) return l10n.t('Enter a path.');
      return (await isTaken(path)) ? l10n.t('This file already exists.') : undefined;
    },
  });
  return answer === undefined ? undefined : absolute(folder, answer);
}

function absolute(folder: string, text: string): string | undefined {
  const path = text.trim();
  if (path === '' || /[\\/]$/.test(path)) return undefined;
  return isAbsolute(path) ? normalize(path) : join(folder, path);
}

/** Resolves to a path that nothing has: the path itself, or one with a number after the name. */
async function freePath(path: string): Promise<string> {
  const { dir, name, ext } = parse(path);
  for (let number = 2, free = path; number < 100; number++) {
    if (!(await isTaken(free))) return free;
    free = join(dir, `${name}-${number}${ext}`);
  }
  return path;
}

/** Resolves to true if anything has that path, also a link that leads nowhere. */
function isTaken(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

async function firstNew({ session }: UsedCode, hints: readonly string[]): Promise<string | undefined> {
  for (const hint of hints) if ((await existing(session, [hint])) === undefined) return hint;
  return undefined;
}
