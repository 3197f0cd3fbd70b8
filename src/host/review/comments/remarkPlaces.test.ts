// Remarks in files that have no changes to review.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { editor } from '../../../../test/unit-support/vscode';
import { anchorAt } from '../../../review/comments/remarkLine';
import { ReviewLog } from '../../../review/log/reviewLog';
import type { SessionKey } from '../../../shared/values/ids';
import { StorageWindows } from '../../storage/storageWindows';
import { untold } from '../../storage/storageTroubles';
import { DraftComments } from './draftComments';
import { RemarkPlaces } from './remarkPlaces';

beforeEach(() => editor.reset());

const claude = { kind: 'agent', agentName: 'Claude', session: 's' as SessionKey, turn: 1 } as const;

function open(context: TestContext) {
  const folder = tempFolder(context);
  const windows = new StorageWindows(join(folder, 'storage'));
  const log = new ReviewLog();
  const drafts = new DraftComments(log, { storage: join(folder, 'storage'), windows, troubles: untold });
  const places = new RemarkPlaces(drafts, log, (error) => assert.fail(String(error)));
  const path = join(folder, 'a.txt');
  const uri = pathToFileURL(path).toString();
  const write = (text: string) => writeFileSync(path, text);
  context.after(async () => {
    places.dispose();
    drafts.dispose();
    await drafts.flush();
    windows.leave();
  });
  return { log, drafts, uri, write };
}

test('a remark follows its line through edits after a keep', async (context) => {
  const { log, drafts, uri, write } = open(context);
  write('one\nTWO\nthree\n');
  log.track(uri, { kind: 'text', text: 'one\ntwo\nthree\n' });
  log.agentEdit(uri, { kind: 'text', text: 'one\nTWO\nthree\n' }, claude);
  const anchor = anchorAt(['one', 'TWO', 'three'], 1);
  const remark = { agentName: 'Codex', session: 'r' as SessionKey, written: 'a.txt:2', isChosen: false, anchor };
  const [hunk] = log.file(uri)?.hunks ?? [];
  assert.ok(hunk);
  const seen = { stamp: '', turn: 1 };
  drafts.add({ uri, hunk: hunk.id, line: 1, authors: [claude], text: 'Too loud', seen, remark });
  log.keepAll();
  log.forget(uri);
  assert.equal(log.file(uri), undefined);
  write('zero\nhalf\none\nTWO\nthree\n');
  const isMoved = new Promise<void>((resolve) => drafts.onDidChange(resolve));
  // Any change of the log makes it look.
  log.track('file:///b.txt', { kind: 'text', text: 'b\n' });
  log.agentEdit('file:///b.txt', { kind: 'text', text: 'B\n' }, claude);
  await isMoved;
  assert.deepEqual(
    drafts.all.map(({ line, hunk: id }) => [line, id]),
    [[3, '']],
  );
});
