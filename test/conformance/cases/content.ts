import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedAgent } from '../agent';
import { until, type Case } from '../case';
import { row } from '../row';

row('U20', 'shows content of every type', async (t) => {
  const agent = await t.open();
  const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
  const blocks = [
    { type: 'image', mimeType: 'image/png', data: png },
    { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
    { type: 'resource_link', uri: 'file:///w/linked.txt', name: 'linked.txt' },
    { type: 'resource', resource: { uri: 'file:///w/embedded.txt', text: 'embedded words' } },
    { type: 'resource', resource: { uri: 'file:///w/blob.bin', blob: 'AAAA' } },
    { type: 'scent', data: 'rose' },
  ];
  await t.turn(agent, ({ update, say }) => {
    for (const block of blocks) update({ sessionUpdate: 'agent_message_chunk', content: block });
    say('the end');
    const content = [...blocks, { type: 'text', text: 'and words' }].map((block) => ({
      type: 'content',
      content: block,
    }));
    update({ sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Shows all', status: 'completed', content });
  });
  await t.page.sees({ text: 'the end' });
  await t.page.opens('Shows all');
  // The same in a message and in a call, each as what it is.
  for (const place of ['article.pl-prose', 'article[aria-label="Tool call: Shows all"]']) {
    const attribute = (css: string, name: string) => t.page.attribute({ css: `${place} ${css}` }, name);
    assert.equal(await attribute('img.pl-image', 'src'), `data:image/png;base64,${png}`);
    assert.equal(await attribute('audio[controls]', 'src'), 'data:audio/wav;base64,UklGRg==');
    assert.equal(await attribute('audio', 'aria-label'), 'Audio');
    assert.equal(await attribute('a[role=link][title$="linked.txt"]', 'data-href'), 'file:///w/linked.txt');
    await t.page.sees({ css: `${place} [role=link]`, hasText: 'linked.txt' });
    await t.page.sees({ css: `${place} pre`, hasText: 'embedded words' });
    await t.page.sees({ css: place, hasText: 'embedded.txt' });
    await t.page.sees({ css: `${place} .chip`, hasText: 'blob.bin · 3 B' });
    await t.page.misses({ css: place, hasText: 'scent' });
    await t.page.misses({ css: place, hasText: 'rose' });
  }
  // What has bytes can be saved, and what is a text be opened.
  const folder = await t.folder();
  for (const [name, suggested, bytes] of [
    ['Save… blob.bin', 'blob.bin', Buffer.from('AAAA', 'base64')],
    ['Save… Image', 'image.png', Buffer.from(png, 'base64')],
    ['Save… Audio', 'audio.wav', Buffer.from('RIFF')],
  ] as const) {
    const target = vscode.Uri.file(join(folder, suggested));
    const asked = t.editor.choosesFile(target);
    await t.page.click({ css: 'article.pl-prose button', hasText: name });
    assert.equal(basename((await asked)?.defaultUri?.path ?? ''), suggested);
    await until(async () => (await readFile(target.fsPath).catch(() => undefined))?.equals(bytes) === true);
  }
  await t.page.click({ css: 'article.pl-prose .pl-code [data-act=openText]' });
  await until(() => vscode.window.activeTextEditor?.document.fileName.endsWith('embedded.txt') === true);
  assert.equal(vscode.window.activeTextEditor?.document.getText(), 'embedded words');
  // Code goes where the cursor is, though the chat has the focus by then.
  await t.turn(agent, ({ say }) => say('```ts\nconst added = 1;\n```\n'));
  const document = await vscode.workspace.openTextDocument({ content: 'first\nsecond\n' });
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(1, 0, 1, 'second'.length);
  await t.page.click({ css: '.pl-code:has-text("const added") [data-act=insertCode]' });
  await until(() => document.getText().startsWith('first\nconst added = 1;\n'));
  assert.equal(vscode.window.activeTextEditor.document, document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await linksKeepTheirAddress(t, agent);
});

/** The editor is given the very address that was written, and one for a mail program only when the user says so. */
async function linksKeepTheirAddress(t: Case, agent: ScriptedAgent): Promise<void> {
  const web = 'https://example.com/p%2Fq?a=b%26c&d=%23%2B';
  const mail = 'mailto:a@example.com?body=b%26c';
  await t.turn(agent, ({ say }) => say(`[the web](${web}) and [the mail](${mail})`));
  // What the editor opens it asks for first, which it does not do while it is tested.
  const outside = t.editor.recordsOpened();
  try {
    await t.page.click({ role: 'link', name: 'the web' });
    await until(() => outside.addresses.length > 0);
    for (const answer of ['', 'Open Link']) {
      assert.deepEqual(outside.addresses, [web]);
      const asked = t.editor.confirmsNext(answer);
      await t.page.click({ role: 'link', name: 'the mail' });
      assert.ok((await asked).endsWith(`\n${mail}`), await asked);
    }
    await until(() => outside.addresses.length > 1);
    assert.deepEqual(outside.addresses, [web, mail]);
  } finally {
    outside.stop();
  }
}

row('U21', 'hides content for the model alone', async (t) => {
  const agent = await t.open();
  await t.turn(agent, ({ update, say }) => {
    const hidden = { type: 'text', text: 'for the model', annotations: { audience: ['assistant'] } };
    update({ sessionUpdate: 'agent_message_chunk', content: hidden });
    say('for the user');
  });
  await t.page.sees({ text: 'for the user' });
  await t.page.misses({ text: 'for the model' });
});
