import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import type * as vscode from 'vscode';
import { editor, Range, window } from '../../../test/unit-support/vscode';
import { cellStatus, codeLens, openTerminalTab, plainTitle, tellInStatusBar } from './labels';
import { PlainMarkdown } from './plainMarkdown';
import { askModal, showError, showInformation, showWarning } from './notifications';
import { askText, pickOne } from './quickInput';

const link = '[Open the log](command:workbench.action.terminal.new)';
const icon = '$(pass) done';

beforeEach(() => editor.reset());

void describe('a text from outside', () => {
  void it('is not a link in any kind of notification', async () => {
    await Promise.all([
      showInformation(link),
      showWarning(link),
      showError(link),
      askModal(link, { detail: link, items: [] }),
    ]);
    assert.equal(editor.shown.length, 4);
    for (const { message } of editor.shown) assert.doesNotMatch(message, /\]\(/);
  });

  void it("is not a link in an input box's question or validation message", async () => {
    await askText({ prompt: link, validateInput: () => link });
    const [shown] = editor.shown;
    assert.doesNotMatch(shown!.message, /\]\(/);
    const { validateInput } = shown!.items[0] as { validateInput: (text: string) => Promise<string> };
    assert.doesNotMatch(await validateInput(''), /\]\(/);
  });

  void it('is not an icon in a list entry, which returns the original', async () => {
    const items = [{ label: icon, description: icon, detail: icon, value: 1 }];
    await pickOne(items, { placeHolder: 'a\u202Eb' });
    const [[shown], options] = editor.shown[0]!.items as [typeof items, { placeHolder: string }];
    assert.deepEqual(
      [shown!.label, shown!.description, shown!.detail, shown!.value],
      ['\\$(pass) done', '\\$(pass) done', '\\$(pass) done', 1],
    );
    assert.equal(options.placeHolder, 'a\\u{202e}b');
  });

  void it('returns the entry that was offered', async () => {
    const items = [{ label: 'one' }, { label: 'two' }];
    const ask = window.showQuickPick;
    window.showQuickPick = async (offered) => (await (offered as Promise<typeof items>))[1];
    try {
      assert.equal(await pickOne(items, {}), items[1]);
      assert.equal(await pickOne(Promise.resolve(items), {}), items[1]);
    } finally {
      window.showQuickPick = ask;
    }
  });

  void it('is not an icon in a lens, status bar, or terminal name', () => {
    const range = new Range(0, 0, 0, 0) as unknown as vscode.Range;
    const lens = codeLens(range, { icon: 'check', text: icon }, 'x', []);
    assert.equal(lens.command?.title, '$(check)\u00a0\\$(pass) done');
    assert.equal(cellStatus({ text: icon }).text, '\\$(pass) done');
    tellInStatusBar(icon, 1);
    assert.equal(editor.shown[0]!.message, '\\$(pass) done');
    openTerminalTab({ name: icon });
    assert.equal((editor.made[0]!.args[0] as { name: string }).name, '\\$(pass) done');
    assert.equal(plainTitle('a\u202Eb'), 'a\\u{202e}b');
  });

  void it('is not Markdown in a hover and cannot alter its link', () => {
    const text = new PlainMarkdown('parley.show');
    text.say(`${link} ${icon} <b>`);
    text.link('go', 'Show', 'parley.show', ['a)](command:x) (']);
    const [said, shown] = text.value.value.split('\n\n');
    assert.doesNotMatch(said!, /(^|[^\\])[[\]()<>$:]/);
    assert.match(shown!, /^\[\$\(go\) Show\]\(command:parley\.show\?[^()]*\)$/);
    assert.deepEqual(text.value.isTrusted, { enabledCommands: ['parley.show'] });
  });
});
