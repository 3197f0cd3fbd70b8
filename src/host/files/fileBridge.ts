import { isAbsolute } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { compact } from '../../shared/values/decodeValue';
import { internal, invalidParams, requestCancelled, resourceNotFound, ResponseError } from '../../acp/base/errors';
import type { ClientContext, FileService } from '../../session/services';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { IDisposable } from '../../shared/values/disposable';
import type { SessionKey } from '../../shared/values/ids';
import { diskFiles } from '../workspaceFiles/diskFile';
import { FileProblem } from '../workspaceFiles/fileProblem';
import { assertReadable, fileError, readDisk, withoutMark } from './diskText';
import { editorUri, findDocument, findNotebook, findUntitled, sessionFolders } from './documents';
import { unsavedNotebook, writeTarget } from './documentWriter';
import { hasStrangeName, isForeignShare } from '../../disk/paths';
import type { WriteText, WrittenText } from '../base/agentWork';
import { resolveNamed, resolveTarget, type FileTarget } from '../base/filePaths';
import { cutLines } from '../../review/lines/lines';
import type { OutsidePolicy } from '../settings/settingTable';
import { admitted, OutsideGuard, type FileAccess } from './outsideGuard';
import { ReadMemory } from './readMemory';
import { SerialQueue } from '../base/serialQueue';

/** Observes the files that agents write through the file service. */
export interface FileObserver {
  /** Performs the write of one file. The promise settles as `write` does. */
  writing(context: ClientContext, uri: vscode.Uri, write: () => Promise<void>): Promise<void>;
  /** Performs the write of a text, which may be the user's version of the agent's. */
  writingText?(written: WrittenText, write: WriteText): Promise<void> | undefined;
}

/** The dependencies of the file service, apart from VS Code. */
export interface FileBridgeOptions {
  /** The policy for files outside the session's folders. */
  readonly outsideWorkspace: () => OutsidePolicy;
  readonly observer?: FileObserver;
}

type ReadParams = Parameters<FileService['readTextFile']>[1];
type WriteParams = Parameters<FileService['writeTextFile']>[1];

/**
 * `fs/*` on VS Code's documents (https://agentclientprotocol.com/protocol/file-system): agents read what the user sees
 * and write as the user would, without taking the focus.
 */
export class FileBridge implements FileService, IDisposable {
  private readonly guard: OutsideGuard;
  private readonly memory = new ReadMemory();
  /** Reads wait for writes to the same file, so that an agent sees what it has just written. */
  private readonly queue = new SerialQueue();
  /** Resolving a path takes time, and requests must not overtake each other while it runs. */
  private readonly arrivals = new SerialQueue();
  private readonly folders = new Map<SessionKey, readonly string[]>();
  private readonly observer: FileObserver | undefined;
  private isDisposed = false;

  constructor({ outsideWorkspace, observer }: FileBridgeOptions) {
    this.guard = new OutsideGuard(outsideWorkspace);
    this.observer = observer;
  }

  async readTextFile(context: ClientContext, params: ReadParams, signal: AbortSignal): Promise<string> {
    assertCount('line', params.line);
    assertCount('limit', params.limit);
    const text = await this.inTurn('read', context, params.path, signal, async (target) => {
      const current = await currentText(target);
      if (current === undefined) throw resourceNotFound(params.path);
      if (!this.isDisposed) this.memory.didRead(context.session, target.key, current, params);
      return current;
    });
    return cutLines(text, params.line, params.limit);
  }

  async writeTextFile(context: ClientContext, params: WriteParams, signal: AbortSignal): Promise<void> {
    const { path, content } = params;
    await this.inTurn(
      'write',
      context,
      path,
      signal,
      async (target) => {
        const { observer } = this;
        const { session } = context;
        const writeText: WriteText = async (text, replaced) => {
          const write = () => writeTarget(target, text, this.memory.get(session, target.key), replaced);
          await (observer ? observer.writing(context, await editorUri(target), write) : write());
        };
        const written = { session, key: target.key, content };
        await (observer?.writingText?.(written, writeText) ?? writeText(content));
        // The agent knows its own version. Its next write is compared with that, so the user's lines stay.
        if (!this.isDisposed) this.memory.didWrite(context.session, target.key, withoutMark(content));
      },
      content,
    );
  }

  /** Limits the session to these folders in addition to its own, instead of the whole workspace. */
  workIn(session: SessionKey, folders: readonly string[]): void {
    this.folders.set(session, folders);
  }

  /** Removes everything stored for a closed session. */
  forget(session: SessionKey): void {
    this.folders.delete(session);
    this.memory.forget(session);
    this.guard.forget(session);
  }

  dispose(): void {
    this.isDisposed = true;
    this.memory.clear();
    this.guard.clear();
  }

  /** Runs `task` if the path is allowed and no other task uses the file, in the order of arrival per session. */
  private async inTurn<T>(
    access: FileAccess,
    context: ClientContext,
    path: string,
    signal: AbortSignal,
    task: (target: FileTarget) => Promise<T>,
    newText?: string,
  ): Promise<T> {
    if (!isAbsolute(path)) throw invalidParams(`The path must be absolute: ${path}`, { path });
    if (hasStrangeName(path)) throw invalidParams(`Windows doesn't have files with this name: ${path}`, { path });
    if (!vscode.workspace.isTrusted) {
      throw internal("The workspace isn't trusted, so its files aren't available to agents.", { path });
    }
    try {
      const allowed = await this.allowedShare(access, context, path, signal, newText);
      const arrive = async () => {
        const found = await resolveTarget(path);
        const folders = await sessionFolders(context.cwd, this.folders.get(context.session));
        const isAllowed = found.key === allowed;
        const verdict = isAllowed
          ? admitted
          : this.guard.judge(access, found, folders, context.session, context.sandbox?.policy);
        if (verdict.kind === 'ask') return { target: found, verdict };
        // Queue the task before the next request is resolved. Wrapped in an object so that it isn't awaited yet.
        return { turn: this.queue.run(found.key, () => task(found), signal) };
      };
      const arrival = await this.arrivals.run(context.session, arrive, signal);
      if ('turn' in arrival) return await arrival.turn;
      const { target, verdict } = arrival;
      await this.guard.ask(access, target, verdict, context, signal, () => preview(target, verdict.isOutside, newText));
      return await this.queue.run(target.key, () => task(target), signal);
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      if (signal.aborted) throw requestCancelled();
      throw fileError(error, path);
    }
  }

  /**
   * Asks about a file on another machine before anything looks there. Resolves to the key of what is allowed, or
   * undefined for other files. Where links lead is asked about once it's known.
   */
  private async allowedShare(
    access: FileAccess,
    context: ClientContext,
    path: string,
    signal: AbortSignal,
    newText: string | undefined,
  ): Promise<string | undefined> {
    if (!isForeignShare(path, context.cwd)) return undefined;
    const target = await resolveNamed(path, context.cwd);
    const folders = await sessionFolders(context.cwd, this.folders.get(context.session));
    const verdict = this.guard.judge(access, target, folders, context.session, context.sandbox?.policy);
    if (verdict.kind === 'ask') {
      const content: ToolCallContent[] = newText === undefined ? [] : [{ type: 'diff', path: target.path, newText }];
      await this.guard.ask(access, target, verdict, context, signal, () => Promise.resolve(content));
    }
    return target.key;
  }
}

/**
 * Returns the text that the user sees, or would see after opening the file. Resolves to undefined if the file doesn't
 * exist.
 */
async function currentText(target: FileTarget): Promise<string | undefined> {
  if (findNotebook(target)?.isDirty === true) throw unsavedNotebook(target);
  const document = await findDocument(target);
  // An unchanged document may lag behind its file for a moment, so read the file itself.
  const isUnsaved = () => document?.isDirty === true;
  if (document !== undefined && isUnsaved() && !document.getText().includes('\uFFFD')) return document.getText();
  const uri = document?.uri ?? (await editorUri(target));
  const disk = await readDisk(target.realPath, uri, document?.encoding);
  // Unsaved text also has the characters that the editor couldn't decode.
  if (disk !== undefined) await assertReadable(target.path, uri, disk, document?.encoding);
  if (document !== undefined && isUnsaved()) return document.getText();
  return disk?.text ?? findUntitled(target)?.getText();
}

/**
 * Returns the preview of a permission request. Opens no file outside the session's folders: a write shows the new text,
 * and shows the old text only if the file is already open. Rejects if there is nothing to ask about.
 */
async function preview(
  target: FileTarget,
  isOutside: boolean,
  newText: string | undefined,
): Promise<ToolCallContent[]> {
  if (!isOutside && newText !== undefined) {
    const oldText = await currentText(target);
    return [{ type: 'diff', path: target.path, newText, ...compact({ oldText }) }];
  }
  const open = (await findDocument(target)) ?? findUntitled(target);
  const found = await diskFiles.look(target.realPath);
  if (found.kind === 'directory' || found.kind === 'special') throw new FileProblem(found.kind, target.realPath);
  if (newText === undefined) {
    if (found.kind === 'absent' && !open) throw resourceNotFound(target.path);
    return [];
  }
  const diff = { type: 'diff', path: target.path, newText, ...(open && { oldText: open.getText() }) } as const;
  if (open || found.kind === 'absent') return [diff];
  const text = l10n.t(
    'Replaces the content of this file, which isn’t shown because it’s outside the session’s folders.',
  );
  return [{ type: 'content', content: { type: 'text', text } }, diff];
}

function assertCount(name: string, value: number | undefined): void {
  if (value !== undefined && !(Number.isInteger(value) && value >= 0)) {
    throw invalidParams(`${name} must be a whole number of 0 or more.`, { [name]: value });
  }
}
