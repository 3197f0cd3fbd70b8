import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { homePlaces, readableInHome } from './homePlaces';

function homeWith(context: TestContext, ...files: readonly string[]): string {
  const home = tempFolder(context);
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), '');
  }
  return home;
}

test('only tools of the home folder can be read, where they are', posixOnly, (context) => {
  const home = homeWith(
    context,
    '.nvm/node',
    '.config/gh/hosts.yml',
    'tools/bin/make',
    '.ssh/bin/x',
    'project/.env',
    'jdk/java',
  );
  const env = {
    PATH: `${home}/tools/bin:${home}/.ssh/bin:${home}:/usr/bin:${home}/missing`,
    JAVA_HOME: join(home, 'jdk'),
    PASSWORD_STORE: join(home, 'project'),
  };
  const readable = readableInHome({ home, programs: [], env, secrets: [join(home, '.ssh')] });
  assert.deepEqual(
    readable.map((path) => path.slice(home.length + 1)),
    ['.nvm', 'jdk', 'tools/bin'],
  );
});

test('an agent’s program can be read with its packages, and nothing beside', posixOnly, (context) => {
  const home = homeWith(
    context,
    'agents/a/node_modules/agent/dist/index.js',
    'agents/b/agent',
    'agents/secret',
    'alone',
  );
  symlinkSync(join(home, 'agents/b/agent'), join(home, 'link'));
  const of = (program: string) =>
    readableInHome({ home, programs: [join(home, program), '--acp'], env: {}, secrets: [] }).map((path) =>
      path.slice(home.length + 1),
    );
  assert.deepEqual(of('agents/a/node_modules/agent/dist/index.js'), ['agents/a/node_modules']);
  assert.deepEqual(of('link'), ['link', 'agents/b']);
  assert.deepEqual(of('alone'), ['alone']);
});

test('the security page lists what can be read at home', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const list = /<!-- home places: begin -->\n\n([^]*?)\n\n<!-- home places: end -->/.exec(page)?.[1];
  assert.equal(list, homePlaces.map((path) => `\`~/${path}\``).join(', '));
});
