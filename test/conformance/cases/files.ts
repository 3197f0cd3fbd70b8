import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { ScriptedAgent } from '../agent';
import { withoutFilesName } from '../connections';
import { row } from '../row';

const five = 'one\ntwo\nthree\nfour\nfive\n';

async function read(agent: ScriptedAgent, path: string, range: object = {}): Promise<unknown> {
  return (await agent.result('fs/read_text_file', { path, ...range }))['content'];
}

async function open(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(path), { preview: false });
}

row('F01', 'reads a file whole or in part with its line breaks', async (t) => {
  const folder = await t.folder();
  const [lf, crlf, bare] = ['lf.txt', 'crlf.txt', 'bare.txt'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await writeFile(lf, five);
  await writeFile(crlf, five.replaceAll('\n', '\r\n'));
  await writeFile(bare, five.trimEnd());
  const agent = await t.open();
  assert.equal(await read(agent, lf), five);
  assert.equal(await read(agent, crlf), five.replaceAll('\n', '\r\n'));
  assert.equal(await read(agent, bare), five.trimEnd());
  assert.equal(await read(agent, lf, { line: 4 }), 'four\nfive\n');
  assert.equal(await read(agent, lf, { limit: 2 }), 'one\ntwo\n');
  assert.equal(await read(agent, lf, { line: 2, limit: 2 }), 'two\nthree\n');
  assert.equal(await read(agent, crlf, { line: 2, limit: 1 }), 'two\r\n');
  assert.equal(await read(agent, bare, { line: 5 }), 'five');
  assert.equal(await read(agent, lf, { line: null, limit: null }), five);
});

row('F02', "reads a file's unsaved text from the editor", async (t) => {
  const path = join(await t.folder(), 'dirty.txt');
  await writeFile(path, five);
  const editor = await open(path);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'zero\n'));
  assert.ok(editor.document.isDirty);
  const agent = await t.open();
  assert.equal(await read(agent, path), `zero\n${five}`);
});

row('F03', "explains why a file can't be read", async (t) => {
  const folder = await t.folder();
  const binary = join(folder, 'binary.dat');
  await writeFile(binary, Buffer.from([0, 1, 2, 0, 255, 254, 0]));
  const agent = await t.open();
  const missing = await agent.request('fs/read_text_file', { path: join(folder, 'missing.txt') });
  assert.equal((missing['error'] as { code: number }).code, -32002);
  assert.match(JSON.stringify(missing['error']), /missing\.txt/);
  for (const path of [folder, binary]) assert.equal(await agent.errorCode('fs/read_text_file', { path }), -32603);
  assert.equal(await agent.errorCode('fs/read_text_file', { path: 'relative.txt' }), -32602);
  assert.equal(await agent.errorCode('fs/write_text_file', { path: 'relative.txt', content: '' }), -32602);
});

row('F04', 'writes a file with its folders and replaces it exactly', async (t) => {
  const folder = await t.folder();
  const agent = await t.open();
  const write = async (path: string, content: string) => {
    assert.deepEqual(await agent.result('fs/write_text_file', { path, content }), {});
    assert.equal(await readFile(path, 'utf8'), content);
  };
  const path = join(folder, 'deep', 'er', 'new.txt');
  for (const content of ['no final newline', 'trailing  \n\n\n', 'tab\t日本 🎉\n', '']) await write(path, content);
  await write(join(folder, 'mixed.txt'), 'mixed\r\nbreaks\nin one\r\n');
});

row('F05', 'makes editor and disk agree after writing an open document', async (t) => {
  const path = join(await t.folder(), 'open.txt');
  await writeFile(path, five);
  const editor = await open(path);
  const agent = await t.open();
  assert.equal(await read(agent, path), five);
  await editor.edit((edit) => edit.insert(new vscode.Position(4, 0), 'typed '));
  await agent.result('fs/write_text_file', { path, content: five.replace('two', 'TWO') });
  const { document } = editor;
  assert.equal(document.getText(), await readFile(path, 'utf8'));
  assert.equal(document.isDirty, false);
  assert.match(document.getText(), /^one\nTWO\nthree\n/);
});

row('F06', 'tells an agent without file access and refuses its requests', async (t) => {
  const path = join(await t.folder(), 'kept.txt');
  await writeFile(path, five);
  const agent = await t.start({}, { agent: withoutFilesName });
  const { params } = await agent.call('initialize');
  const { clientCapabilities } = params as { clientCapabilities: Readonly<Record<string, unknown>> };
  assert.deepEqual(clientCapabilities['fs'], { readTextFile: false, writeTextFile: false });
  assert.equal(clientCapabilities['terminal'], true);
  await agent.call('session/new');
  await agent.catchUp();
  await t.turn(agent, async ({ say }) => {
    assert.equal(await agent.errorCode('fs/read_text_file', { path }), -32601);
    assert.equal(await agent.errorCode('fs/write_text_file', { path, content: 'x' }), -32601);
    const { terminalId } = await agent.result('terminal/create', { command: 'true', args: [] });
    await agent.result('terminal/release', { terminalId });
    say('without files');
  });
  await t.page.sees({ text: 'without files' });
  assert.equal(await readFile(path, 'utf8'), five);
});

row('F07', 'reads ranges at and beyond the limits', async (t) => {
  const path = join(await t.folder(), 'rims.txt');
  await writeFile(path, five);
  const agent = await t.open();
  assert.equal(await read(agent, path, { line: 6 }), '');
  assert.equal(await read(agent, path, { line: 4_294_967_295, limit: 4_294_967_295 }), '');
  assert.equal(await read(agent, path, { line: 0, limit: 1 }), 'one\n');
  assert.equal(await read(agent, path, { limit: 0 }), '');
  for (const range of [{ line: -1 }, { limit: -1 }, { limit: '1' }]) {
    assert.equal(await agent.errorCode('fs/read_text_file', { path, ...range }), -32602);
  }
});

row('F08', 'asks the user about files outside the workspace', async (t) => {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-outside-')));
  try {
    await mkdir(join(folder, 'sub'));
    const path = join(folder, 'sub', 'a.txt');
    await writeFile(path, five);
    const agent = await t.open();
    await t.turn(agent, async () => {
      const allowed = agent.ask('fs/read_text_file', { sessionId: 's1', path });
      await t.page.answer('', 'Allow once');
      assert.deepEqual((await agent.answer(allowed))['result'], { content: five });
      const rejected = agent.ask('fs/write_text_file', { sessionId: 's1', path, content: 'x' });
      await t.page.answer('', 'Reject');
      assert.ok((await agent.answer(rejected))['error']);
      assert.equal(await readFile(path, 'utf8'), five);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
