import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { BlobStore } from '../../baseline/blobStore';
import { Emitter } from '../../shared/event';
import type { SessionKey } from '../../shared/ids';
import type { AgentTouch } from '../review/diskChanges';
import { CheckpointRecorder } from './checkpointRecorder';

const session = { key: 's' as SessionKey };

test('names the files of a turn that were still being read when the window closed', async (t) => {
  const touched = new Emitter<AgentTouch>();
  const recorder = new CheckpointRecorder(touched.event, new BlobStore('/nowhere'), (error) =>
    assert.fail(String(error)),
  );
  t.after(() => recorder.dispose());
  const touch = (name: string) =>
    touched.fire({ turn: { session, turn: 2 }, uri: vscode.Uri.file(`/${name}`) } as unknown as AgentTouch);
  touch('a.txt');
  await recorder.idle();
  touch('b.txt');
  recorder.giveUpRunning();
  assert.deepEqual(
    recorder.of(session.key).map(({ turn, unrecorded }) => [turn, unrecorded]),
    [[2, ['file:///a.txt', 'file:///b.txt']]],
  );
});
