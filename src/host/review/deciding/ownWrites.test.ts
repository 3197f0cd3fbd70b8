// Parley's own writes while agents are at work: none of them is an agent's change.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, test } from 'node:test';
import * as vscode from 'vscode';
import { reviewFolder, type ReviewWindow } from '../../../../test/unit-support/reviewWindow';
import { editor } from '../../../../test/unit-support/vscode';
import { fileOnDisk } from '../../workspaceFiles/presentFile';
import { writeSteps } from '../../checkpoints/writeSteps';
import { undoLast } from './takeBack';

const before = 'one\ntwo\nthree\n';
const after = 'one\nagent\nthree\n';

beforeEach(() => editor.reset());

const files = { 'a.txt': before, 'b.txt': 'other\n' };

/** Has the watcher report each of Parley's own writes as soon as it's done. */
function reportAtOnce({ review: { disk } }: ReviewWindow): void {
  const hold = disk.hold.bind(disk);
  disk.hold = (uri) => {
    const held = hold(uri);
    return {
      dispose: () => {
        held.dispose();
        void disk.look(vscode.Uri.parse(uri));
      },
    };
  };
}

/** Notes the files that agents are said to have changed. */
function touches({ review }: ReviewWindow): string[] {
  const all: string[] = [];
  review.onDidTouch(
    ({ uri, turn }) => void all.push(`${turn.session.transcript.view.agentName} ${uri.path.split('/').at(-1)}`),
  );
  return all;
}

test('an undo that is reported at once isn’t the running agent’s', async (context) => {
  const window = reviewFolder(context, files).open();
  await window.begin(window.session());
  const session = window.session('First');
  await window.begin(session);
  writeFileSync(window.path('a.txt'), after);
  mkdirSync(window.path('made'));
  writeFileSync(window.path('made/new.txt'), after);
  await window.end(session);
  reportAtOnce(window);
  const all = touches(window);
  await window.undoAll();
  assert.deepEqual([readFileSync(window.path('a.txt'), 'utf8'), existsSync(window.path('made'))], [before, false]);
  assert.deepEqual([all, window.review.log.pending], [[], []]);
});

test('an undo taken back and reported at once isn’t the running agent’s', async (context) => {
  const window = reviewFolder(context, files).open();
  const session = window.session('First');
  await window.begin(session);
  writeFileSync(window.path('new.txt'), before);
  await window.end(session);
  await window.undoAll();
  const other = window.session();
  await window.begin(other);
  rmSync(window.path('a.txt'));
  await window.look('a.txt');
  reportAtOnce(window);
  const all = touches(window);
  await undoLast(window.review.log, window.review.disk);
  assert.equal(readFileSync(window.path('new.txt'), 'utf8'), before);
  assert.deepEqual(all, []);
  assert.deepEqual(
    window.review.log.pending,
    ['a.txt', 'new.txt'].map((name) => window.uri(name).toString()),
  );
});

test('a look from before an undo doesn’t bring the change back', async (context) => {
  const window = reviewFolder(context, files).open();
  const [one, two] = [window.session('First'), window.session('Second')];
  await window.begin(one);
  await window.begin(two);
  writeFileSync(window.path('a.txt'), after);
  await window.look('a.txt');
  const { asked, open } = await window.holdBaseline(two);
  const ended = window.end(one);
  await asked;
  // All would wait for the look.
  await window.review.commands['parley.review.undoFile'](window.uri('a.txt'));
  open();
  await ended;
  assert.equal(readFileSync(window.path('a.txt'), 'utf8'), before);
  assert.deepEqual(window.review.log.pending, []);
});

test('a restored file that nothing tracks isn’t the running agent’s', async (context) => {
  const window = reviewFolder(context, files).open();
  const { review } = window;
  writeFileSync(window.path('a.txt'), after);
  const session = window.session();
  await window.begin(session);
  const hash = await review.contents.save(Buffer.from(before));
  const [gone, back] = [window.uri('b.txt').toString(), window.uri('a.txt').toString()];
  const ref = { kind: 'stored', hash, size: before.length } as const;
  const present = async (name: string) => (await fileOnDisk(vscode.Uri.file(window.path(name)))).ref;
  const services = { contents: review.contents, disk: review.disk, log: review.log };
  await writeSteps(services, [
    { step: { uri: back, action: 'write', ref }, expected: await present('a.txt'), review: () => undefined },
    {
      step: { uri: gone, action: 'delete', ref: { kind: 'absent' } },
      expected: await present('b.txt'),
      review: () => undefined,
    },
  ]);
  const all = touches(window);
  await window.end(session);
  assert.deepEqual([readFileSync(window.path('a.txt'), 'utf8'), existsSync(window.path('b.txt'))], [before, false]);
  assert.deepEqual([all, review.log.pending], [[], []]);
});
