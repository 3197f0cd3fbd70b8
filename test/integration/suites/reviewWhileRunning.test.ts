import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { suite, test } from '../api';
import { file, onDisk, scratchFolder } from '../filesSupport';
import { undoneTo, until } from '../reviewFiles';
import { base, changes, eight, keep, newAgent, undo, type Step } from '../reviewSupport';

const shout = (...words: string[]) => words.reduce((text, word) => text.replace(word, word.toUpperCase()), eight);

/** How an agent may write: through the editor, or by itself. */
const ways: Readonly<Record<string, (path: string, text: string) => Step>> = {
  'through the editor': (path, text) => ({ fs: path, text }),
  'by itself': (path, text) => ({ write: path, text }),
};

suite('the user reviews while the turn goes on', () => {
  for (const [way, write] of Object.entries(ways)) {
    test(`an agent that writes ${way}: one change kept, one undone, one typed beside, and then it writes again`, async (context) => {
      const folder = await scratchFolder(context);
      const path = await file(folder, 'a.txt', eight);
      const made = join(folder, 'made.txt');
      const [go, done] = [join(folder, 'go'), join(folder, 'done')];
      const agent = await newAgent(context);
      await agent.turn(
        write(path, shout('two', 'five', 'eight')),
        write(made, 'made\n'),
        { awaits: go },
        // What it does then rests on what the user has made of the file by then.
        way === 'by itself'
          ? { edit: path, from: 'one', to: 'ONE' }
          : write(path, shout('two', 'eight', 'one').replace('four', 'four, mine')),
        { write: done, text: '' },
      );
      const [two, five] = await changes(path, 3);
      assert.ok(two && five);
      await changes(made, 1);
      await keep(two);
      assert.equal(await base(path), shout('two'));
      await undo(five);
      assert.equal((await vscode.workspace.openTextDocument(path)).getText(), shout('two', 'eight'));
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(path));
      await editor.edit((edit) => edit.insert(new vscode.Position(3, 'four'.length), ', mine'));
      await vscode.commands.executeCommand('parley.review.keepFile', vscode.Uri.file(made));
      await editor.document.save();
      assert.equal(await onDisk(path), shout('two', 'eight').replace('four', 'four, mine'));
      const left = await changes(path, 1);
      assert.equal(left[0]?.line, 7);
      await changes(made, 0);
      assert.equal(existsSync(done), false, 'all of this was while the turn ran');

      await file(folder, 'go', '');
      await until(
        () => existsSync(done),
        () => 'the agent did not go on',
      );
      const [one, eighth] = await changes(path, 2);
      assert.deepEqual([one?.line, eighth?.line], [0, 7]);
      const accepted = shout('two').replace('four', 'four, mine');
      assert.equal(await base(path), accepted, 'what was kept and what the user wrote is not up for review again');
      assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, path, 'the focus stays where the user had it');
      await undoneTo({ [path]: accepted, [made]: 'made\n' });
    });
  }
});
