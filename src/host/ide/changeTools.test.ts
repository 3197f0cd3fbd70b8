import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import * as vscode from 'vscode';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { editor } from '../../../test/unit-support/vscode';
import type { ClientQuestion } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import { changeTools } from './changeTools';
import type { Language } from '../editor/languages';
import type { ToolCall, ToolServices } from './tool';

const folder = tempFolder({ after });
const path = join(folder, 'own.ts');
const uri = vscode.Uri.file(path);
const before = 'const old = 1;\n';

/** An open document whose rename is one edit. */
const document = {
  uri,
  version: 1,
  lineCount: 2,
  isDirty: false,
  isClosed: false,
  encoding: 'utf8',
  text: before,
  getText: () => document.text,
  lineAt: () => ({ text: document.text.split('\n')[0] ?? '' }),
  offsetAt: ({ character }: vscode.Position) => character,
  save: () => {
    writeFileSync(path, document.text);
    return Promise.resolve(true);
  },
};
const edits = [{ range: new vscode.Range(0, 6, 0, 9), newText: 'fresh' }];

let asked: ClientQuestion[] = [];
/** What happens while the user looks at the question, before the answer. */
let meanwhile: () => void;
/** What happens while the change waits for other writes of the file. */
let waiting: () => void;

function rename(): Promise<unknown> {
  const services = {
    rules: { answer: () => undefined },
    now: () => 0,
    change: (_context: unknown, _paths: unknown, write: () => Promise<void>) => {
      waiting();
      return write();
    },
  } as unknown as ToolServices;
  const context = {
    session: 's' as SessionKey,
    agentName: 'A',
    cwd: folder,
    ask: (question: ClientQuestion) => {
      asked.push(question);
      meanwhile();
      return Promise.resolve('allow');
    },
  };
  const call: ToolCall = {
    context,
    folders: [],
    services,
    language: { ready: () => Promise.resolve() } as unknown as Language,
    args: { path: 'own.ts', symbol: 'old', newName: 'fresh' },
    signal: new AbortController().signal,
  };
  return changeTools.renameSymbol(call);
}

void describe('a tool that changes files', () => {
  // Of this suite alone: tests of other files share the editor, and the process.
  beforeEach(() => {
    editor.reset();
    editor.folders = [folder];
    [asked, meanwhile, waiting] = [[], () => undefined, () => undefined];
    Object.assign(document, { text: before, version: 1, isDirty: false });
    writeFileSync(path, before);
    editor.commands.set('vscode.executeDocumentRenameProvider', () => ({ size: 1, entries: () => [[uri, edits]] }));
    Object.assign(vscode.workspace, {
      textDocuments: [document],
      openTextDocument: () => Promise.resolve(document),
      applyEdit: () => {
        document.text = document.text.replace('old', 'fresh');
        document.version++;
        return Promise.resolve(true);
      },
    });
  });

  void it('changes and saves them once the user has seen the change', async () => {
    assert.deepEqual(await rename(), {
      text: 'own.ts: 1 edits',
      data: { changed: [{ path: 'own.ts', edits: 1 }] },
    });
    assert.equal(readFileSync(path, 'utf8'), 'const fresh = 1;\n');
    assert.deepEqual(asked[0]?.content, [{ type: 'diff', path, oldText: before, newText: 'const fresh = 1;\n' }]);
  });

  void it('changes nothing in an untrusted folder and asks nothing', async () => {
    editor.isTrusted = false;
    await assert.rejects(rename(), /The workspace isn't trusted/);
    assert.deepEqual([asked, document.text], [[], before]);
  });

  void it('changes nothing if the user types while the change waits', async () => {
    waiting = () => Object.assign(document, { text: `${before}typed\n`, version: 2, isDirty: true });
    await assert.rejects(rename(), /changed in the meantime. Nothing was changed/);
    assert.deepEqual([document.text, readFileSync(path, 'utf8')], [`${before}typed\n`, before]);
  });

  void it('changes nothing if a file changed while the user was asked', async () => {
    meanwhile = () => Object.assign(document, { text: `${before}typed\n`, version: 2 });
    await assert.rejects(rename(), /changed in the meantime. Nothing was changed/);
    assert.equal(document.text, `${before}typed\n`);
    assert.equal(readFileSync(path, 'utf8'), before);
  });

  void it('changes no file with unsaved text and asks nothing', async () => {
    document.isDirty = true;
    await assert.rejects(rename(), /own.ts has unsaved changes. Nothing was changed/);
    assert.deepEqual([asked, document.text], [[], before]);
  });
});
