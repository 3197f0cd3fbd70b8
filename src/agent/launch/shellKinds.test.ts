import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, suite, test } from 'node:test';
import { ProcessMark } from '../../../test/unit-support/markedProcesses';
import { readShellEnvironment } from './shellEnvironment';
import { tempFolder } from '../../../test/unit-support/tempFolder';

const home = tempFolder({ after });

interface Kind {
  readonly name: string;
  /** Files below the home folder that the shell reads, each setting a variable, printing something, or prompting. */
  readonly files: Readonly<Record<string, string>>;
  /** A file that makes an interactive shell fail. */
  readonly breaks: readonly [path: string, text: string];
}

const kinds: readonly Kind[] = [
  {
    name: 'zsh',
    files: {
      '.zshenv': 'export FROM_ENV=1\n',
      '.zprofile': 'echo "Welcome {"; export FROM_PROFILE=$\'a b\\nü\'; export NODE_OPTIONS="--require /no/such.js"\n',
      '.zshrc': '[[ -o interactive && -o login ]] && export PATH="/opt/tool:$PATH"; setopt xtrace; read answer\n',
    },
    breaks: ['.zshrc', '[[ -o interactive ]] && exit 3\n'],
  },
  {
    name: 'fish',
    files: {
      '.config/fish/conf.d/env.fish': 'set -gx FROM_ENV 1\n',
      '.config/fish/config.fish': [
        'echo "Welcome {"',
        'status is-login; and set -gx FROM_PROFILE "a b"\\n"ü"',
        'set -gx NODE_OPTIONS "--require /no/such.js"',
        'status is-interactive; and set -gx PATH /opt/tool $PATH',
        'read answer',
        '',
      ].join('\n'),
    },
    breaks: ['.config/fish/config.fish', 'status is-interactive; and exit 3\n'],
  },
];

for (const { name, files, breaks } of kinds) {
  const shell = (process.env['PATH'] ?? '')
    .split(':')
    .map((folder) => join(folder, name))
    .find(existsSync);
  const skip = shell ? false : `${name} is not installed here`;
  suite(`the environment of a real ${name}`, () => {
    const write = async (path: string, text: string) => {
      await mkdir(dirname(join(home, path)), { recursive: true });
      await writeFile(join(home, path), text);
    };

    test('has the variables of its files, whatever they print, without temporary ones', { skip }, async () => {
      for (const [path, text] of Object.entries(files)) await write(path, text);
      const mark = new ProcessMark();
      const env = { ...mark.env, HOME: home, EDITOR: 'vi', VSCODE_PID: '1' };
      const result = await readShellEnvironment({ shell: shell!, env });
      assert.equal(result.problem, undefined);
      assert.equal(result.source, 'shell');
      assert.equal(result.env['FROM_ENV'], '1');
      assert.equal(result.env['FROM_PROFILE'], 'a b\nü');
      assert.match(result.env['PATH'] ?? '', /^\/opt\/tool:/);
      assert.equal(result.env['EDITOR'], 'vi');
      const traces = Object.keys(result.env).filter((key) =>
        /^(PARLEY_(?!TEST)|VSCODE_|ELECTRON_|NODE_OPTIONS|SHLVL|PWD|_$)/.test(key),
      );
      assert.deepEqual(traces, []);
      await mark.waitForCount(0);
      await mark.clean();
    });

    test('is read without the interactive part if that fails', { skip }, async () => {
      for (const path of Object.keys(files)) await rm(join(home, path), { force: true });
      await write(...breaks);
      const first = Object.keys(files)[0]!;
      await write(first, files[first]!);
      const mark = new ProcessMark();
      const result = await readShellEnvironment({ shell: shell!, env: { ...mark.env, HOME: home } });
      assert.equal(result.source, 'shell');
      assert.equal(result.env['FROM_ENV'], '1');
      await mark.clean();
    });
  });
}
