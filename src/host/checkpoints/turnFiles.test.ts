import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { Player } from '../../../test/unit-support/playUpdates';
import type { CheckpointFile, Checkpoint } from '../../review/checkpoints/checkpoint';
import type { StoredRef } from '../../review/files/fileRef';
import type { SessionKey } from '../../shared/values/ids';
import { changedFilesOf, hiddenWork } from './turnFiles';

const [edited, formatted, same, unknown] = ['edited', 'formatted', 'same', 'unknown'].map((name) =>
  resolve(`/${name}.ts`),
);
const uriOf = (path = '') => vscode.Uri.file(path).toString();
const stored = (hash: string): StoredRef => ({ kind: 'stored', hash, size: 1 });
const changed: CheckpointFile = { before: stored('a'), after: stored('b') };

const checkpoint = (files: readonly [string, CheckpointFile][], unrecorded: readonly string[] = []): Checkpoint => ({
  turn: 0,
  files: new Map(files),
  unrecorded,
});

const session = () => {
  const diff = { type: 'diff', path: edited, oldText: 'old', newText: 'new' };
  const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'c', kind: 'edit', status: 'completed' };
  const { transcript } = new Player().play({ ...call, content: [diff] });
  return { key: 's' as SessionKey, transcript };
};

test('leaves out a file that is as before the turn', () => {
  const files = changedFilesOf(
    checkpoint(
      [
        [uriOf(formatted), changed],
        [uriOf(same), { before: stored('a'), after: stored('a') }],
      ],
      [uriOf(unknown)],
    ),
  );
  assert.deepEqual(files, [formatted, unknown]);
});

test('lists turns whose commands changed more than tool calls show', () => {
  const both = checkpoint([
    [uriOf(edited), changed],
    [uriOf(formatted), changed],
  ]);
  assert.deepEqual(hiddenWork(session(), [both]), [{ turn: 0, count: 2, paths: [formatted, edited] }]);
  assert.deepEqual(hiddenWork(session(), [checkpoint([[uriOf(edited), changed]])]), []);
});
