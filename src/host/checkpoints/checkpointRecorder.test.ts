import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { BlobStore } from '../../baseline/blobStore';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { AgentTouch } from '../review/recording/diskChanges';
import { CheckpointRecorder } from './checkpointRecorder';

const session = { key: 's' as SessionKey };

test('lists the files that were still being read when the window closed', async (t) => {
  const touched = new Emitter<AgentTouch>();
  const recorder = new CheckpointRecorder(touched.event, new BlobStore('/nowhere'), (error) =>
    assert.fail(String(error)),
  );
  t.after(() => recorder.dispose());
  const [read, unread] = [vscode.Uri.file('/read.txt'), vscode.Uri.file('/unread.txt')];
  const touch = (uri: vscode.Uri) => touched.fire({ turn: { session, turn: 2 }, uri } as unknown as AgentTouch);
  touch(read);
  await recorder.idle();
  touch(unread);
  recorder.giveUpRunning();
  assert.deepEqual(
    recorder.of(session.key).map(({ turn, unrecorded }) => [turn, unrecorded]),
    [[2, [read.toString(), unread.toString()]]],
  );
});
