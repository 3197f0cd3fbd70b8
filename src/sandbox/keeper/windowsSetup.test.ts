import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, suite, test, type TestContext } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { buildKeeper } from '../../../test/unit-support/sandbox';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import type { HoldingMode, SandboxPolicy } from '../../shared/sandbox';
import { windowsHelper } from '../windows/helper';
import type { FromKeeper, ToKeeper } from './messages';

/** Makes a program believe that it runs on Windows. */
const pretends = `data:text/javascript,Object.defineProperty(process,'platform',{value:'win32'})`;

/** In place of the program that only Windows can run: answers as after a set-up, and notes what it was asked. */
const helperScript = `#!${process.execPath}
const { appendFileSync, readFileSync } = require('node:fs');
const words = process.argv.slice(2);
const isGrant = words.includes('grant');
const input = isGrant ? JSON.parse(readFileSync(0, 'utf8')) : undefined;
appendFileSync(__filename + '.asked', JSON.stringify({ words, input }) + '\\n');
const capabilities = ['profile-deny-expansion', 'profile-session-grant-check', 'kept-grant-holders', 'read-deny-except', 'exec-holder', 'profile-retry-stale'];
const user = { exists: true, sid: 'S-1-5-21-1-2-3-1001', group_exists: true, in_builtin_users: true, in_sandbox_group: true, hidden_from_logon: true };
const status = { user, cred_present: true, marker_version: 3, setup_version: 3, seclogon: 'ok', real_user_sid: 'S-1-5-21-1-2-3-1000', capabilities };
const wfp = { state: 'installed', filters: 4, port_range: [60080, 60089], allow_loopback: false };
const answers = {
  'user status': status,
  'wfp status': wfp,
  status: { user: status, wfp },
  'wfp verify': { target: '127.0.0.1:1', egress_probe: process.env.FENCE ?? 'blocked' },
  'profile status': { capabilities, state: 'none', list_version: 4, record_version: 1 },
};
const asked = words.slice(1).join(' ');
const found = Object.keys(answers).find((key) => asked.startsWith(key));
console.log(JSON.stringify(found ? answers[found] : []));
`;

suite('the set-up for Windows', posixOnly, () => {
  const built = tempFolder({ after });
  let keeperPath = '';
  before(async () => {
    keeperPath = await buildKeeper(built);
    const helper = windowsHelper(keeperPath);
    mkdirSync(dirname(helper), { recursive: true });
    writeFileSync(join(dirname(helper), 'package.json'), '{}');
    writeFileSync(helper, helperScript, { mode: 0o700 });
  });

  /** Starts a keeper that believes to be on Windows. Returns how to talk to it, and what its program was asked. */
  function startKeeper(context: TestContext, mode: HoldingMode, env: Readonly<Record<string, string>> = {}) {
    const root = tempFolder(context);
    const path = (name: string) => join(root, name);
    const policy: SandboxPolicy = {
      mode,
      folders: [path('project')],
      state: [path('codex')],
      shared: [path('shared')],
      readOnly: [path('project/.git/hooks'), path('project/.vscode/settings.json')],
      unreadable: [path('project/.env')],
      readable: [path('tools')],
      hosts: ['api.example:443'],
      localPorts: [7000],
    };
    for (const at of ['project/.git/hooks', 'shared', 'tools', 'own']) mkdirSync(path(at), { recursive: true });
    writeFileSync(path('project/.env'), 'TOKEN=secret\n');
    const notes = `${windowsHelper(keeperPath)}.asked`;
    writeFileSync(notes, '');
    const keeper = fork(keeperPath, {
      cwd: path('own'),
      execArgv: ['--import', pretends],
      stdio: 'ignore',
      env: { ...process.env, ...env },
    });
    const send = (message: ToKeeper) => keeper.send(message);
    const receive = async () => ((await once(keeper, 'message')) as [FromKeeper])[0];
    send({ kind: 'start', policy, temporary: path('own') });
    const end = async () => {
      const exit = once(keeper, 'exit');
      send({ kind: 'end' });
      await exit;
    };
    const asked = (words: string) =>
      readFileSync(notes, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as { words: string[]; input?: Record<string, string[]> })
        .filter((one) => one.words.join(' ').startsWith(`--srt-win ${words}`));
    return { path, send, receive, end, asked };
  }

  test('gives the account the session’s folders, and holds the rest', async (context) => {
    const { path, receive, end, asked } = startKeeper(context, 'files');
    assert.deepEqual(await receive(), { kind: 'ready' });
    await end();
    const [grant] = asked('acl grant');
    assert.deepEqual(grant?.input, {
      read: [path('tools')],
      // The agent's folder was created for it.
      write: [path('project'), path('codex'), path('shared')],
      denyRead: [path('project/.env')],
      // Nothing can be created in a folder that was missing, and no file is put into it.
      denyWrite: [path('project/.git/hooks'), path('project/.vscode')],
    });
    assert.ok(grant.words.includes('S-1-5-21-1-2-3-1001'));
    assert.ok(!existsSync(path('project/.vscode/settings.json')));
    // What the session was given is taken back in the end.
    assert.deepEqual([asked('acl revoke').length, asked('acl restore').length], [1, 1]);
  });

  test('starts programs as the account, with its own environment', async (context) => {
    const { path, send, receive, end } = startKeeper(context, 'filesAndNetwork');
    assert.deepEqual(await receive(), { kind: 'ready' });
    const command = { shell: { exe: String.raw`C:\node.exe`, args: ['agent.js'] }, last: 'a b' };
    send({ kind: 'wrapOnWindows', id: 1, command, env: { API_KEY: 'x', TEMP: 'C:\\t', https_proxy: 'http://evil' } });
    const answer = await receive();
    await end();
    assert.ok(answer.kind === 'wrapped', JSON.stringify(answer));
    const { argv } = answer;
    assert.deepEqual(argv.slice(0, 3), [windowsHelper(keeperPath), '--srt-win', 'exec']);
    assert.deepEqual(argv.slice(-4), ['--', String.raw`C:\node.exe`, 'agent.js', 'a b']);
    assert.ok(argv.includes('--write-restricted-token'));
    const after = (option: string) => argv.filter((_, index) => argv[index - 1] === option);
    assert.deepEqual(after('--write-root'), [path('project'), path('codex'), path('shared')]);
    const env = after('--env');
    assert.ok(env.includes('API_KEY=x'));
    assert.ok(!env.some((one) => one.startsWith('TEMP=')));
    // Each once, in the range of ports that the filter lets through.
    const proxies = env.filter((one) => /^https?_proxy=/i.test(one));
    assert.equal(proxies.length, 2, proxies.join('\n'));
    for (const one of proxies) assert.match(one, /@localhost:600[89]\d$/);
  });

  test('doesn’t start an agent whose network isn’t held by the system', async (context) => {
    const { receive, asked } = startKeeper(context, 'files', { FENCE: 'connected' });
    const answer = await receive();
    assert.ok(answer.kind === 'failed', JSON.stringify(answer));
    assert.match(answer.message, /fence is not active/);
    assert.equal(asked('exec').length, 0);
  });
});
