import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { tempFolder } from '../../test/unit-support/tempFolder';
import { defaultLimits } from './baseline';
import { BlobStore } from './blobStore';
import { Recorder } from './recorder';
import { WorkspaceBaseline } from './workspaceBaseline';

// A file that reads as absent is listed as new, and an undo would remove it.
for (const kind of ['repository', 'plain folder']) {
  test(`reads no file in an ignored folder of a ${kind} as absent`, async (context) => {
    const root = tempFolder(context);
    const folder = join(root, 'project');
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    };
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args]);
    write('.gitignore', 'build/\nnode_modules/\n');
    write('build/deep/before.txt', 'of the user');
    write('node_modules/x/before.js', 'of the user');
    write('src/a.ts', 'a');
    if (kind === 'repository') {
      git('init', '-q');
      git('add', '.gitignore', 'src');
      git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'one');
    }
    const recorder = new Recorder(new BlobStore(join(root, 'blobs')), defaultLimits, () => Date.now());
    const ignored = { names: new Set(['node_modules']), globs: [] };
    const baseline = await WorkspaceBaseline.take([folder], recorder, ignored, defaultLimits);
    context.after(() => baseline.dispose());
    const read = async (name: string) => baseline.read(join(folder, name));
    const skipped = (within: string) => ({ kind: 'skipped', reason: 'ignored', within: join(folder, within) });

    // The agent changes the files, and then the rules that ignored them.
    write('build/deep/before.txt', 'of the agent');
    write('node_modules/x/before.js', 'of the agent');
    rmSync(join(folder, '.gitignore'));
    assert.deepEqual(await read('build/deep/before.txt'), skipped('build'));
    assert.deepEqual(await read('node_modules/x/before.js'), skipped('node_modules'));
    assert.deepEqual(await read('src/new.ts'), { kind: 'absent' });
  });
}
