import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { gitPatterns, IgnoreRules } from './ignoreRules';
import { tempFolder } from '../../test/unit-support/tempFolder';

async function rules(t: TestContext, files: Record<string, string>, globs: readonly string[] = []) {
  const folder = tempFolder(t);
  const write = async (name: string, text: string) => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  for (const [name, text] of Object.entries(files)) await write(name, text);
  const made = new IgnoreRules(folder, { names: new Set(['node_modules']), globs });
  for (const below of ['', 'src']) await made.enter(below);
  return { rules: made, write };
}

function isLeftOut(found: IgnoreRules, path: string): boolean {
  return found.ignoredFolderAbove(path) !== undefined || found.isIgnored(path, false);
}

test('names apply everywhere, and the innermost .gitignore wins', async (t) => {
  const { rules: found, write } = await rules(t, {
    '.gitignore': '*.log\n/only-here\nbuilt/\n',
    'src/.gitignore': '!kept.log\nsecret\n',
  });
  for (const path of ['a/node_modules', 'node_modules/x/y.js', 'a/b.log', 'only-here', 'built/x', 'src/deep/secret'])
    assert.equal(isLeftOut(found, path), true, path);
  for (const path of ['src/kept.log', 'a/only-here', 'secret', 'src/main.ts', 'built'])
    assert.equal(isLeftOut(found, path), false, path);
  assert.equal(found.isIgnored('built', true), true);
  // Rules added later don't apply to files recorded before.
  await write('.gitignore', 'main.ts\n');
  await found.enter('');
  assert.equal(isLeftOut(found, 'src/main.ts'), false);
});

test('files.watcherExclude ignores the same files as in the editor', async (t) => {
  const { rules: found } = await rules(t, {}, [
    '**/cache/**',
    '**/*.tmp',
    'gen/**',
    '**/deps/*/**',
    'one/{x,y}/**',
    'top',
  ]);
  for (const path of ['a/cache/f', 'cache/f', 'a/b.tmp', 'gen/f', 'deps/p/f', 'one/x/f', 'one/y/f', 'top'])
    assert.equal(isLeftOut(found, path), true, path);
  for (const path of ['a/gen/f', 'deps/f', 'one/z/f', 'a/top', 'cached/f']) {
    assert.equal(isLeftOut(found, path), false, path);
  }
  assert.deepEqual([found.isIgnored('a/cache', true), found.isIgnored('deps', true)], [true, false]);
});

test('an absolute pattern applies only inside its folder', () => {
  assert.deepEqual(gitPatterns('/home/place/x/**', '/home/place'), ['/x/**', '/x/']);
  assert.deepEqual(gitPatterns('/elsewhere/x/**', '/home/place'), []);
});
