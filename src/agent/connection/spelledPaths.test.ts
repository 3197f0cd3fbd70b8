import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeAgent } from '../../../test/unit-support/fakeSession';
import type { ContentBlock } from '../../shared/transcript/content';
import { spelledChannel, spelledFolders, spellingsOf } from './spelledPaths';

test('folders are sent with an upper-case drive letter on Windows only', () => {
  const setup = { cwd: 'c:\\code\\app', additionalDirectories: ['d:\\', '\\\\server\\share', 'D:\\lib'] };
  assert.deepEqual(spelledFolders(setup, 'win32'), {
    cwd: 'C:\\code\\app',
    additionalDirectories: ['D:\\', '\\\\server\\share', 'D:\\lib'],
  });
  assert.equal(spelledFolders(setup, 'linux'), setup);
});

test('stored sessions are looked for under both spellings', () => {
  assert.deepEqual(spellingsOf('c:\\code', 'win32'), ['C:\\code', 'c:\\code']);
  assert.deepEqual(spellingsOf('\\\\server\\share', 'win32'), ['\\\\server\\share']);
  assert.deepEqual(spellingsOf('/code', 'linux'), ['/code']);
});

test('URIs of files are sent with an upper-case drive letter', () => {
  const sent: (readonly ContentBlock[])[] = [];
  const agent = new FakeAgent();
  const keep = (content: readonly ContentBlock[]) => {
    sent.push(content);
    return Promise.resolve(undefined);
  };
  agent.prompt = keep;
  agent.steer = async (content) => {
    await keep(content);
    return 'injected';
  };
  const channel = spelledChannel(agent, 'win32');
  const link = (uri: string): ContentBlock => ({ type: 'resource_link', uri, name: 'a' });
  const uris = [
    'file:///c%3A/a.ts',
    'file:///d:/a.ts#L1',
    'file:///C:/a',
    'file://server/c',
    'https://c:1/',
    'file:///c/a',
  ];
  void channel.prompt([{ type: 'text', text: 'file:///c:/' }, ...uris.map(link)], () => undefined);
  void channel.steer?.([link('file:///c:/')]);
  const found = sent.map((content) => content.map((block) => ('uri' in block ? block.uri : '')));
  assert.deepEqual(found, [
    ['', 'file:///C%3A/a.ts', 'file:///D:/a.ts#L1', 'file:///C:/a', 'file://server/c', 'https://c:1/', 'file:///c/a'],
    ['file:///C:/'],
  ]);
  assert.equal(spelledChannel(agent, 'linux'), agent);
});
