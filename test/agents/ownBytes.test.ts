import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../e2e/poll';
import { agentScene } from './agentScene';
import type { ModelRequest, ModelStep } from './modelServer.mjs';
import { allowAll, startModel, tool } from './support';

const notebook = (source: string) =>
  ['{"cells":[{"cell_type":"code","source":["', source, '"],\n', '"outputs":["mine"]}],"nbformat":4}\n'].join('');

/** The user's own bytes, which git takes for those of the commit, and would all write in another way. */
const own = {
  // A checkout would end its lines in CRLF.
  'plain.txt': 'one\ntwo\nthree\n',
  // Committed with the team's settings, and left out of what git compares.
  'settings.json': '{ "who": "me" }\n',
  // A filter keeps its outputs out of commits.
  'book.ipynb': notebook('1'),
};
type Name = keyof typeof own;
const agents: Record<Name, string> = {
  'plain.txt': 'one\nTWO\nthree\n',
  'settings.json': '{ "who": "agent" }\n',
  'book.ipynb': notebook('2'),
};

let folder = '';

/** Writes one file with a tool and the others by a command. */
function script(request: ModelRequest): ModelStep {
  const key = request.tools.includes('todowrite') ? 'filePath' : 'file_path';
  const file = (name: Name) => join(folder, name);
  switch (request.rounds) {
    case 0:
      return { calls: [{ name: tool(request, 'Read', 'read'), input: { [key]: file('plain.txt') } }] };
    case 1: {
      const input = { [key]: file('plain.txt'), content: agents['plain.txt'] };
      return { calls: [{ name: tool(request, 'Write', 'write'), input }] };
    }
    case 2: {
      const command = `sed -i 's/"me"/"agent"/' '${file('settings.json')}' && sed -i 's/"1"/"2"/' '${file('book.ipynb')}'`;
      return { calls: [{ name: tool(request, 'Bash', 'bash'), input: { command, description: 'Change two files' } }] };
    }
    default:
      return { text: 'All three are changed.' };
  }
}

const { setting } = startModel(script);

async function untilOnDisk(wanted: Record<Name, string>): Promise<void> {
  let found = '';
  const expected = JSON.stringify(Object.values(wanted));
  const names = Object.keys(wanted);
  await until(
    async () => {
      found = JSON.stringify(await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8'))));
      return found === expected;
    },
    () => `${found} instead of ${expected}`,
  );
}

/** Commits what git makes of the files, and then puts the user's own bytes in their places. */
async function makeRepository(): Promise<void> {
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { stdio: 'pipe', encoding: 'utf8' });
  git('init', '-q');
  git('config', 'user.name', 'Me');
  git('config', 'user.email', 'me@example.com');
  git('config', 'core.autocrlf', 'true');
  git('config', 'filter.strip.clean', `sed 's/"outputs":.*]}/"outputs":[]}/'`);
  await writeFile(join(folder, '.gitattributes'), '*.ipynb filter=strip\n');
  await writeFile(join(folder, 'settings.json'), '{ "who": "the team" }\n');
  git('add', '.');
  git('commit', '-qm', 'First');
  git('update-index', '--skip-worktree', 'settings.json');
  await writeFile(join(folder, 'settings.json'), own['settings.json']);
  if (git('status', '--porcelain') !== '') throw new Error('Git sees a change.');
}

for (const key of ['claude', 'opencode'] as const) {
  const how = key === 'claude' ? 'by itself' : 'through the editor';
  agentScene(
    1,
    `restores bytes that Git would write differently, after an agent writes ${how}`,
    { agents: setting(key), files: own },
    async ({ desk, chat, folder: opened }) => {
      folder = opened;
      await makeRepository();
      await chat.send('Please change all three files.');
      await allowAll(chat);
      await untilOnDisk(agents);

      const you = chat.article('You').first();
      await you.hover();
      await you.getByRole('button', { name: 'Restore files to this point' }).click();
      const preview = chat.page.getByRole('group', { name: 'Restore files' });
      await preview.waitFor();
      await preview.getByRole('button', { name: 'Restore', exact: true }).click();
      await untilOnDisk(own);
      await chat.page.getByRole('button', { name: 'Undo restore' }).click();
      await untilOnDisk(agents);

      // The other way back: the changes that wait for the user.
      await desk.run('parley.review.undoAll');
      await untilOnDisk(own);
      await chat.page.getByRole('list', { name: 'Changed files' }).waitFor({ state: 'hidden' });
    },
  );
}
