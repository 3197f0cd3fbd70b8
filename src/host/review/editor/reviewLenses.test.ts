import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as vscode from 'vscode';
import { ReviewLog } from '../../../review/log/reviewLog';
import type { SessionKey } from '../../../shared/values/ids';
import { ReviewLenses } from './reviewLenses';

const author = { kind: 'agent', agentName: 'Told', session: 's' as SessionKey, turn: 1 } as const;

/** Returns the words of the rows of a file, by line, after an agent's change of these texts. */
function rows(before: string | undefined, after: string): Record<number, string[]> {
  const log = new ReviewLog();
  const uri = vscode.Uri.file('/work/a.txt');
  log.track(uri.toString(), before === undefined ? { kind: 'absent' } : { kind: 'text', text: before });
  log.agentEdit(uri.toString(), { kind: 'text', text: after }, author);
  const lenses = new ReviewLenses(log);
  const found: Record<number, string[]> = {};
  const document = { uri, lineCount: after.split('\n').length } as vscode.TextDocument;
  for (const { range, command } of lenses.provideCodeLenses(document)) {
    (found[range.start.line] ??= []).push(command?.title.replace(/\$\(.*?\)\s/, '') ?? '');
  }
  lenses.dispose();
  return found;
}

const eight = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n';
const ofFile = ['Keep file', 'Undo file'];

test('a change of the first line begins its row', () => {
  const found = rows(eight, eight.replace('one', 'ONE').replace('seven', 'SEVEN'));
  const row = ['Keep', 'Undo', 'Comment', '1 line removed'];
  assert.deepEqual(found, {
    0: [...row, '1 of 2', ...ofFile, 'Told changed 2 places', 'Next'],
    6: [...row, '2 of 2'],
  });
});

test('a new file has Keep before the words about it', () => {
  assert.deepEqual(rows(undefined, 'one\n'), { 0: ['Keep', 'Undo', 'Comment', '1 of 1', 'Told created this file'] });
});

test('above a file with changes below, its words come first', () => {
  assert.deepEqual(rows(eight, eight.replace('seven', 'SEVEN'))[0], ['Told changed 1 place', ...ofFile]);
});
