// Real agents in a sandbox: they keep their own files, change the session's folder, and reach nothing else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import type { AgentSpec } from '../../src/agent/spec/agentSpec';
import { knownAgents } from '../../src/sandbox/agents/knownAgents';
import { keepCopiesIn } from '../../src/git/copyPlaces';
import type { EncloseOptions } from '../../src/sandbox/encloseProgram';
import { encloseProgram } from '../../src/sandbox/sandboxes';
import type { Session } from '../../src/session/session';
import type { AgentId } from '../../src/shared/values/ids';
import { copyHides } from '../../src/worktree/copy/copyHides';
import { openSource } from '../../src/worktree/copy/copySource';
import { createCopy } from '../../src/worktree/copy/ownCopy';
import { worktreeChanges } from '../../src/worktree/bring/worktreeChanges';
import { worktreeOf } from '../../src/worktree/made/worktreeOf';
import { all, asks, isDone, PoolHarness, text, until } from '../unit-support/poolHarness';
import { buildKeeper, inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { tempFolder } from '../unit-support/tempFolder';
import { recipes } from './agentRecipes.mjs';
import { agentSetting, installAgent } from './installAgent.mjs';
import { startModelServer, type ModelRequest, type ModelStep } from './modelServer.mjs';
import { tool } from './support';

/** A model that runs these lines, one after the other, and what it was told about each. */
function runs(lines: readonly string[], results: string[]): (request: ModelRequest) => ModelStep {
  return (request) => {
    // Qwen also looks for something to remember, with tools that only read.
    if (!request.prompt.includes('Run the commands')) return { text: 'Nothing.' };
    if (request.rounds > 0) results[request.rounds - 1] = request.result;
    const line = lines[request.rounds];
    if (line === undefined) return { text: 'All done.' };
    // Codex would go on without a result after a while.
    if (request.tools.includes('exec_command')) {
      return { calls: [{ name: 'exec_command', input: { cmd: line, yield_time_ms: 30_000 } }] };
    }
    const name = tool(request, 'Bash', 'bash', 'run_shell_command');
    return { calls: [{ name, input: { command: line, description: 'Run it' } }] };
  };
}

/** Allows whatever the agent asks until its turn is over. */
async function allowAll(session: Session): Promise<void> {
  const isOver = () => isDone(session) && text(session).includes('All done.');
  const failed = () => all(session, 'error').length > 0;
  for (;;) {
    await until(session, (one) => asks(one) || isOver() || failed(), 90_000);
    assert.ok(!failed(), text(session));
    if (!asks(session)) return;
    const call = all(session, 'tool_call').find(({ permission }) => permission.state === 'asked');
    assert.ok(call?.permission.state === 'asked', text(session));
    const option = call.permission.options.find(({ kind }) => kind === 'allow_once');
    session.answerPermission(call.permission.request, option?.optionId ?? assert.fail(text(session)));
  }
}

suite('in a sandbox', inSandbox, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
  });

  /** Plays a turn of an agent that runs these lines, and resolves to what its model was told about them. */
  async function play(
    context: TestContext,
    key: keyof typeof recipes,
    root: string,
    lines: readonly string[],
    copy?: { readonly cwd: string; readonly held: Pick<EncloseOptions, 'folders' | 'hidden'> },
  ) {
    const home = join(root, 'home');
    const cwd = copy?.cwd ?? join(root, 'project');
    const mode = copy ? 'ownCopy' : 'filesAndNetwork';
    const results: string[] = [];
    const model = await startModelServer(runs(lines, results));
    context.after(() => model.close());
    const recipe = recipes[key];
    await recipe.prepare?.(home, model.url);
    const folder = await installAgent(recipe);
    const setting = agentSetting(recipe, { folder, node: process.execPath, home, modelUrl: model.url });
    const asked: string[] = [];
    const harness = new PoolHarness({
      env: { PATH: pathForSandbox },
      sandbox: {
        enclose: (_spec, _cwd, launch) => {
          const localPorts = [Number(new URL(model.url).port)];
          const options = { inner: [], packages: false, localPorts, keeperPath, isUsersChoice: true };
          const userEnv = { PATH: pathForSandbox };
          return encloseProgram(launch, { mode, userEnv, ...(copy?.held ?? { folders: [cwd] }), ...options });
        },
        decideHost: (_sessions, { host, port }) => {
          asked.push(`${host}:${port}`);
          return Promise.resolve({ allow: false, reason: 'Not in this test' });
        },
      },
    });
    context.after(() => harness.pool.stopAll());
    const spec: AgentSpec = {
      id: `settings:${recipe.name}` as AgentId,
      name: recipe.name,
      source: 'settings',
      ...setting,
    };
    const session = harness.pool.createSession({ spec, cwd, sandbox: mode });
    session.sendPrompt('Run the commands.');
    await allowAll(session);
    return { home, results, asked, policy: harness.pool.sandboxOf(session)?.policy };
  }

  for (const key of ['claude', 'codex', 'gemini', 'opencode', 'qwen'] as const) {
    test(`${recipes[key].name} works in its own copy, and reaches nothing of the user’s`, async (context) => {
      const root = tempFolder(context);
      for (const name of ['home', 'project']) mkdirSync(join(root, name), { recursive: true });
      const user = join(root, 'project');
      const git = (...args: readonly string[]) => execFileSync('git', ['-C', user, ...args], { encoding: 'utf8' });
      git('init', '--quiet', '--initial-branch=main');
      writeFileSync(join(user, 'a.txt'), 'committed\n');
      git('add', '.');
      git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '-m', 'First');
      writeFileSync(join(user, 'a.txt'), 'the user’s work\n');
      keepCopiesIn(join(root, 'storage', 'copies'));
      context.after(() => keepCopiesIn(undefined));
      const { record, cwd } = await createCopy(await openSource(user), [], 1);
      const hidden = await copyHides(worktreeOf(cwd), [user]);
      const commit = 'git add --all && git -c user.name=A -c user.email=a@b.c commit --quiet -m Inside';
      const lines = [
        'cat a.txt; echo made inside > made.txt; cat made.txt',
        `${commit} && git log --format=%s`,
        `cat ${user}/a.txt; echo tried`,
        `echo x > ${user}/x.txt; git -C ${user} log; echo tried`,
      ];
      const held = { folders: [record.path], hidden };
      const { results } = await play(context, key, root, lines, { cwd, held });
      assert.match(results[0] ?? '', /the user’s work.*made inside/s);
      assert.match(results[1] ?? '', /Inside.*First/s);
      assert.doesNotMatch(results[2] ?? '', /the user’s work/);
      for (const result of results.slice(2)) assert.match(result, /tried/);
      assert.deepEqual(readdirSync(user).sort(), ['.git', 'a.txt']);
      assert.equal(git('log', '--format=%s', '--all'), 'First\n');
      const { changes } = await worktreeChanges({ record });
      assert.deepEqual(
        changes.map(({ path }) => path),
        ['made.txt'],
      );
    });

    test(`${recipes[key].name} changes only its folders, and reaches only its model`, async (context) => {
      const root = tempFolder(context);
      for (const name of ['home/.ssh', 'project', 'outside']) mkdirSync(join(root, name), { recursive: true });
      writeFileSync(join(root, 'home', '.ssh', 'id_rsa'), 'the key');
      const reached: string[] = [];
      const server = createServer((request, response) => {
        reached.push(request.url ?? '');
        response.end('from the server');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      context.after(() => server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const { home, results, asked, policy } = await play(context, key, root, [
        'echo made inside > made.txt; cat made.txt',
        `echo x > ${root}/outside/x.txt; echo tried`,
        `cat ${root}/home/.ssh/id_rsa; echo tried`,
        `curl -sS -m 5 ${url}; curl -sS -m 5 http://other.example/; echo tried`,
      ]);
      assert.equal(readFileSync(join(root, 'project', 'made.txt'), 'utf8'), 'made inside\n');
      assert.match(results[0] ?? '', /made inside/);
      // Temporary files of others aren't there.
      assert.match(results[1] ?? '', /No such file or directory/);
      for (const result of results.slice(1)) assert.match(result, /tried/);
      assert.equal(results.length, 4);
      assert.doesNotMatch(results[2] ?? '', /the key/);
      assert.deepEqual(readdirSync(join(root, 'outside')), []);
      assert.deepEqual(reached, []);
      assert.ok(asked.includes('other.example:80'), asked.join(' '));
      // It has kept its session where the table says.
      const own = knownAgents.find(({ name }) => name === key)?.state.map((path) => join(home, path)) ?? [];
      assert.ok(own.some((path) => existsSync(path) && readdirSync(path).length > 0));
      for (const path of own) assert.ok(policy?.state.includes(path), path);
    });
  }
});
