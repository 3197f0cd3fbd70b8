import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import { BlobStore, hashOf } from '../../baseline/blobStore';
import type { FileRef } from '../../review/files/fileRef';
import type { RestoredFile, RestoreUndo } from '../../review/checkpoints/restoreUndo';
import { ReviewLog } from '../../review/log/reviewLog';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import type { DiskChanges } from '../review/recording/diskChanges';
import { fileOnDisk } from '../workspaceFiles/presentFile';
import * as vscode from 'vscode';
import { undoSteps } from './undoSteps';
import { writeSteps, type WriteStep } from './writeSteps';

beforeEach(() => editor.reset());

async function setUp(context: TestContext) {
  const folder = tempFolder(context);
  editor.folders = [folder];
  const contents = new BlobStore(join(folder, 'contents'));
  const log = new ReviewLog();
  context.after(() => log.dispose());
  const disk = {
    during: (_uri: string, work: () => Promise<unknown>) => work(),
    together: (act: () => Promise<unknown>) => act(),
    tidyAbove: () => Promise.resolve(),
  } as unknown as DiskChanges;
  const path = (name: string) => join(folder, name);
  const uri = (name: string) => pathToFileURL(path(name)).toString();
  const store = async (text: string): Promise<FileRef> => {
    const bytes = Buffer.from(text);
    await contents.save(bytes);
    return { kind: 'stored', hash: hashOf(bytes), size: bytes.byteLength };
  };
  const present = async (name: string) => (await fileOnDisk(vscode.Uri.file(path(name)))).ref;
  const step = async (name: string, ref: FileRef): Promise<WriteStep> => ({
    step: { uri: uri(name), action: ref.kind === 'absent' ? 'delete' : 'write', ref },
    expected: await present(name),
    review: () => undefined,
  });
  return { services: { contents, disk, log }, path, uri, store, present, step };
}

test('restores files that are as they were when the plan was made', async (context) => {
  const { services, path, uri, store, step } = await setUp(context);
  writeFileSync(path('a'), 'by the agent');
  writeFileSync(path('new'), 'by the agent');
  const steps = [await step('a', await store('before')), await step('new', { kind: 'absent' })];
  const { done, left, failed } = await writeSteps(services, steps);
  assert.deepEqual([done, left, failed], [[uri('new'), uri('a')], [], undefined]);
  assert.equal(readFileSync(path('a'), 'utf8'), 'before');
  assert.equal(await fileOnDisk(vscode.Uri.file(path('new'))).then(({ ref }) => ref.kind), 'absent');
});

test('leaves files alone that changed, appeared, or disappeared since', async (context) => {
  const { services, path, uri, store, step } = await setUp(context);
  for (const name of ['a', 'b', 'gone']) writeFileSync(path(name), 'by the agent');
  const before = await store('before');
  const steps = [
    await step('a', before),
    await step('b', { kind: 'absent' }),
    await step('gone', before),
    await step('back', before),
  ];
  writeFileSync(path('a'), 'by the user');
  writeFileSync(path('b'), 'by the user');
  rmSync(path('gone'));
  writeFileSync(path('back'), 'by the user');
  const { done, left, failed } = await writeSteps(services, steps);
  assert.deepEqual([done, left, failed], [[], ['b', 'a', 'gone', 'back'].map(uri), undefined]);
  for (const name of ['a', 'b', 'back']) assert.equal(readFileSync(path(name), 'utf8'), 'by the user', name);
  assert.equal(await fileOnDisk(vscode.Uri.file(path('gone'))).then(({ ref }) => ref.kind), 'absent');
});

test('undoing a restore leaves files alone that changed since the restore', async (context) => {
  const { services, path, uri, store, present } = await setUp(context);
  writeFileSync(path('a'), 'restored');
  writeFileSync(path('b'), 'restored');
  const files = new Map<string, RestoredFile>();
  for (const name of ['a', 'b']) files.set(uri(name), { restored: await present(name), before: await store('before') });
  writeFileSync(path('b'), 'by the user');
  const undo: RestoreUndo = {
    session: 's' as SessionKey,
    notice: 'n' as EntryId,
    name: '',
    madeAt: 0,
    isOpen: false,
    files,
    removed: [],
  };
  const { steps, right } = await undoSteps(undo, services.contents, services.log);
  const { done, left } = await writeSteps(services, steps);
  assert.deepEqual([done, left, right], [[uri('a')], [uri('b')], []]);
  assert.equal(readFileSync(path('a'), 'utf8'), 'before');
  assert.equal(readFileSync(path('b'), 'utf8'), 'by the user');
});
