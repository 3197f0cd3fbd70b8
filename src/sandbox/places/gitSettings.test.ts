import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { heldPlaces } from './heldPlaces';

test('holds what the user’s own settings of git name in a folder', posixOnly, (context) => {
  const home = tempFolder(context);
  const folder = join(home, 'project');
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), text);
  };
  write('.gitconfig', '[include]\n\tpath = work/settings\n[core] hooksPath = .hooks\n');
  write(
    'work/settings',
    `[includeIf "gitdir:~/project/"]\n\tpath = "${folder}/own settings"\n[include] path = ~/project/later\n`,
  );
  write('project/own settings', '[filter "x"]\n\tclean = "tools/clean.sh %f"\n');
  write('project/tools/clean.sh', '#!/bin/sh\n');
  const { readOnly, placeholders = [] } = heldPlaces(folder, { home });
  for (const name of ['own settings', 'tools/clean.sh', '.hooks', 'later'])
    assert.ok(readOnly.includes(join(folder, name)), name);
  // An empty folder takes the place of hooks that aren't there. A folder in place of settings would stop git.
  assert.ok(placeholders.includes(join(folder, '.hooks')));
  assert.ok(!placeholders.includes(join(folder, 'later')));
});
