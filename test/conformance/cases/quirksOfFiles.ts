import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rowInWindow } from '../row';

rowInWindow('Q19', "ignores encodings in _meta and keeps a file's own", async (t) => {
  const folder = await t.folder();
  const path = (name: string) => join(folder, name);
  const agent = await t.open();
  const write = async (name: string, content: string, _meta: object) => {
    assert.deepEqual(await agent.result('fs/write_text_file', { path: path(name), content, _meta }), {});
    return readFile(path(name), 'utf8');
  };
  const marked = { bom: true, encoding: 'utf-8', lineEnding: 'crlf' };
  const plain = { bom: false, encoding: 'utf-8', lineEnding: 'lf' };
  await writeFile(path('windows.txt'), '\ufeffone\r\ntwo\r\n');
  await writeFile(path('unix.txt'), 'one\ntwo\n');
  // Whether it says what is so, or something else.
  for (const _meta of [marked, plain, { bom: 'perhaps', encoding: 7, lineEnding: {} }]) {
    const now = `with ${JSON.stringify(_meta)}`;
    assert.equal(await write('windows.txt', `one\n${now}\n`, _meta), `\ufeffone\r\n${now}\r\n`);
    assert.equal(await write('unix.txt', `one\n${now}\n`, _meta), `one\n${now}\n`);
  }
  assert.equal(await write('new.txt', 'as\nsent\n', marked), 'as\nsent\n');
  assert.equal(await write('also-new.txt', 'as\r\nsent\r\n', plain), 'as\r\nsent\r\n');
});
