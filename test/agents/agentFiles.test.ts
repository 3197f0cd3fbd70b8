// Real agents in a folder with a marker in every file that any of them may read: the table of the page says which ones the model gets.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import { knownAgents, replacementOf, type AgentFiles, type KnownAgent } from '../../src/host/skillsPage/agentFiles';
import type { AgentId } from '../../src/shared/values/ids';
import { all, isDone, PoolHarness, text, until } from '../unit-support/poolHarness';
import { recipes } from './agentRecipes.mjs';
import { agentSetting, installAgent } from './installAgent.mjs';
import { startModelServer } from './modelServer.mjs';

let model: Awaited<ReturnType<typeof startModelServer>>;
before(async () => {
  model = await startModelServer(() => ({ text: 'All done.' }));
});
after(() => model.close());

/** Every file of the table, with a path for its marker. */
const everyFile = [...new Map(knownAgents.flatMap(({ files }) => files).map((file) => [file.path, file])).values()];
const markerOf = ({ path }: AgentFiles) => `marker-${path.replaceAll(/[^a-z]/gi, '')}-end`;

/** Returns the file to write for an entry of the table, and its text. */
function written(file: AgentFiles): readonly [path: string, text: string] {
  const marker = markerOf(file);
  switch (file.kind) {
    case 'file':
      return [file.path, `Remember ${marker}.\n`];
    case 'rules':
      return [`${file.path}/style${file.suffix ?? '.md'}`, `Remember ${marker}.\n`];
    case 'skills': {
      // Agents that find the same name twice keep one.
      const name = `test-${file.path.replaceAll(/[^a-z]/gi, '')}`;
      return [`${file.path}/${name}/SKILL.md`, `---\nname: ${name}\ndescription: Use for ${marker}\n---\nText\n`];
    }
  }
}

/** Plays one turn in a folder with these files, and returns everything that the model was sent. */
async function sentWith(agent: KnownAgent, files: readonly (readonly [path: string, text: string])[]): Promise<string> {
  const recipe = recipes[agent.id as keyof typeof recipes];
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-reads-')));
  const [home, cwd] = [join(folder, 'home'), join(folder, 'work')];
  const harness = new PoolHarness();
  try {
    await mkdir(home);
    await mkdir(cwd);
    // Some agents look for the root of a repository.
    await promisify(execFile)('git', ['init', '-q'], { cwd });
    for (const [path, content] of files) {
      await mkdir(dirname(join(cwd, path)), { recursive: true });
      await writeFile(join(cwd, path), content);
    }
    await recipe.prepare?.(home, model.url);
    const installed = await installAgent(recipe);
    const setting = agentSetting(recipe, { folder: installed, node: process.execPath, home, modelUrl: model.url });
    const spec: AgentSpec = {
      id: `settings:${agent.name}` as AgentId,
      name: agent.name,
      source: 'settings',
      ...setting,
    };
    const from = model.seen.length;
    const session = harness.start(spec, cwd);
    session.sendPrompt('Say that all is done.');
    const isOver = () => isDone(session) && (text(session).includes('All done.') || all(session, 'error').length > 0);
    await until(session, isOver, 90_000);
    assert.match(text(session), /All done\./);
    return model.seen
      .slice(from)
      .map(({ body = '' }) => body)
      .join('\n');
  } finally {
    await harness.pool.stopAll();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

const found = (sent: string) =>
  everyFile
    .filter((file) => sent.includes(markerOf(file)))
    .map(({ path }) => path)
    .sort();

for (const agent of knownAgents) {
  void describe(`what ${agent.name} reads in a folder`, { timeout: 480_000 }, () => {
    void it('is what the table says, if everything exists', async () => {
      const expected = agent.files.filter((file) => replacementOf(file, () => true) === undefined);
      assert.deepEqual(found(await sentWith(agent, everyFile.map(written))), expected.map(({ path }) => path).sort());
    });

    const replaced = agent.files.filter(({ unless }) => unless !== undefined);
    void it('includes files that others replace, without those', { skip: replaced.length === 0 }, async () => {
      for (const file of replaced) {
        const others = everyFile.filter(({ path }) => file.unless?.includes(path) !== true);
        assert.ok(found(await sentWith(agent, others.map(written))).includes(file.path), file.path);
        // Each of the files that replace it does so alone.
        for (const other of file.unless ?? []) {
          const both = everyFile.filter(({ path }) => path === file.path || path === other);
          assert.deepEqual(found(await sentWith(agent, both.map(written))), [other]);
        }
      }
    });

    void it('includes imported files, if the table says so', async () => {
      const sent = await sentWith(agent, [
        [agent.main, '@IMPORTED.md\n'],
        ['IMPORTED.md', 'Remember marker-imported-end.\n'],
      ]);
      assert.equal(sent.includes('marker-imported-end'), agent.takesImports);
    });
  });
}
