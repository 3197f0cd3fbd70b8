import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { posixOnly } from '../../../test/unit-support/platform';
import { tempFolder } from '../../../test/unit-support/tempFolder';
import { innerLine } from '../inside/commandLine';
import { heldPlaces, TooMuchToHold } from './heldPlaces';
import { readBlockedLine } from '../keeper/blockedLine';
import { policyOf, type PolicyFacts } from './policy';
import { missingNeed } from '../sandboxNeeds';
import { secretPlaces } from './secretPlaces';
import { sharedGit } from './sharedGit';

const facts: PolicyFacts = {
  mode: 'filesAndNetwork',
  folders: ['/work/project'],
  commands: [['/usr/bin/node', '/opt/node_modules/@agentclientprotocol/claude-agent-acp/index.js']],
  env: {},
  home: '/home/me',
  packages: false,
  sharedGit: [],
  held: [],
  localPorts: [],
};

test('an agent keeps its own folders and hosts, not those of others', posixOnly, () => {
  const policy = policyOf(facts);
  assert.ok(policy.state.includes('/home/me/.claude'));
  assert.ok(policy.hosts.includes('api.anthropic.com:443'));
  assert.ok(!policy.hosts.includes('api.openai.com:443'));
  assert.ok(policy.unreadable.includes('/home/me/.codex'));
  assert.ok(policy.unreadable.includes('/home/me/.ssh'));
  assert.ok(!policy.unreadable.includes('/home/me/.claude'));
  assert.deepEqual(policy.shared, []);
  assert.deepEqual(policyOf({ ...facts, allowed: ['/srv/x'] }).shared, ['/srv/x']);
});

test('a user’s name is not the name of an agent', posixOnly, () => {
  const policy = policyOf({ ...facts, commands: [['/home/claude/tools/bin/other']] });
  assert.deepEqual(policy.state, []);
  assert.ok(policy.unreadable.includes('/home/me/.claude'));
});

test('an agent that npx starts can use packages', posixOnly, () => {
  const policy = policyOf({ ...facts, commands: [['/usr/bin/npx', '--yes', '@google/gemini-cli']] });
  assert.deepEqual(policy.shared, []);
  assert.ok(policy.hosts.includes('registry.npmjs.org:443'));
});

test('an agent’s own caches take the place of the user’s', posixOnly, (context) => {
  const home = tempFolder(context);
  const env = { npm_config_cache: join(home, 'npm-cache'), CARGO_HOME: join(home, 'rust'), GOMODCACHE: '/srv/go' };
  const own = { ...facts, home, env, programs: [], caches: '/storage/caches/gemini' };
  const placesOf = (given: PolicyFacts) =>
    Object.fromEntries((policyOf(given).layers ?? []).map(({ folder, place }) => [folder.slice(23), place]));
  const needed = placesOf(own);
  assert.equal(needed['npm'], join(home, 'npm-cache'));
  assert.equal(needed['cargo-registry'], undefined);
  const all = placesOf({ ...own, packages: true });
  assert.equal(all['cargo-registry'], join(home, 'rust', 'registry'));
  // Outside of the home folder, nothing can be written anyway.
  assert.equal(all['go-modules'], undefined);
  // What the user allows is the user's, and a program must stay where it is.
  assert.equal(placesOf({ ...own, allowed: [join(home, '.cache')] })['uv'], undefined);
  assert.equal(placesOf({ ...own, programs: [join(home, '.bun/install/cache/x/agent')] })['bun'], undefined);
  assert.equal(policyOf({ ...own, folders: [home] }).layers, undefined);
  assert.equal(policyOf({ ...facts, home, programs: [] }).layers, undefined);
});

test('servers of the user’s own environment are reached without asking', posixOnly, () => {
  const env = {
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:8080',
    OPENAI_BASE_URL: 'https://models.example.com/v1',
    A_URL: 'http://x',
  };
  const policy = policyOf({ ...facts, env, localPorts: [7000] });
  assert.deepEqual(policy.localPorts, [7000, 8080]);
  assert.ok(policy.hosts.includes('models.example.com:443'));
  assert.ok(!policy.hosts.some((host) => host.startsWith('x:')));
});

test('servers on this machine that an agent’s settings name are asked about', posixOnly, (context) => {
  const home = tempFolder(context);
  const askedBy = (name: string, text: string, more: Partial<PolicyFacts> = {}) => {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
    return policyOf({ ...facts, commands: [['codex']], home, ...more }).askedPorts;
  };
  const model = 'base_url = "http://localhost:8000/v1"\nother = "http://127.0.0.1:7/"\nthird = "https://a.example:9"';
  assert.deepEqual(askedBy('.codex/config.toml', model), [8000, 7]);
  assert.deepEqual(askedBy('.codex/config.toml', model, { askedPorts: [5], localPorts: [7] }), [5, 8000]);
  assert.equal(askedBy('.codex/config.toml', model, { mode: 'files', askedPorts: [5] }), undefined);
  assert.deepEqual(askedBy('.codex/config.toml', 'model_provider = "ollama"'), [11_434]);
  const goose = { commands: [['goose']] as const };
  assert.deepEqual(askedBy('.config/goose/config.yaml', 'GOOSE_PROVIDER: ollama\n', goose), [11_434]);
  const opencode = { commands: [['opencode']] as const };
  const baseUrl = '{ "options": { "baseURL": "http://127.0.0.1:1234/v1" } }';
  assert.deepEqual(askedBy('.config/opencode/opencode.json', baseUrl, opencode), [1234]);
  const claude = { commands: [['claude']] as const };
  assert.deepEqual(
    askedBy('.claude.json', '{ "mcpServers": { "a": { "url": "http://[::1]:3000/mcp" } } }', claude),
    [3000],
  );
});

test('guarded places stay read-only, and secrets unreadable, at any depth', posixOnly, (context) => {
  const folder = tempFolder(context);
  for (const path of ['.git/hooks', '.git/modules/sub/hooks', 'a/b/.husky', 'node_modules/x/.husky']) {
    mkdirSync(join(folder, path), { recursive: true });
  }
  mkdirSync(join(folder, '.git/worktrees/task'), { recursive: true });
  for (const path of [
    '.git/config',
    '.git/worktrees/task/commondir',
    '.git/modules/sub/config',
    'a/.env',
    'a/.env.example',
    '.envrc',
  ]) {
    writeFileSync(join(folder, path), '');
  }
  const { readOnly, unreadable } = heldPlaces(folder);
  const names = (paths: readonly string[]) => paths.map((path) => path.slice(folder.length + 1)).sort();
  assert.deepEqual(names(unreadable), ['a/.env']);
  assert.deepEqual(names(readOnly), [
    '.devcontainer',
    '.envrc',
    '.git/config',
    '.git/hooks',
    '.git/modules/sub/config',
    '.git/modules/sub/hooks',
    '.git/worktrees/task/commondir',
    '.idea',
    '.vscode',
    'a/b/.husky',
  ]);
});

test('an account of its own gets no part of the user’s profile', () => {
  const home = resolve('/users/ann');
  const tools = join(home, 'tools');
  const programs = [join(tools, 'agent.exe'), resolve('/programs/node.exe'), join(home, '.ssh', 'agent.exe')];
  const codexHome = resolve('/data/codex');
  const commands = [[join(tools, 'codex-acp.exe')] as const];
  const held = [{ readOnly: [], unreadable: [join(home, 'shop', '.env')] }];
  const env = { CODEX_HOME: codexHome };
  const policy = policyOf({ ...facts, commands, env, home, held, packages: true, ownAccount: { programs } });
  assert.deepEqual(policy.readable, [tools, join(home, '.gitconfig')]);
  // What the agent keeps is in the account's profile, unless the user says otherwise.
  assert.deepEqual(policy.state, [codexHome]);
  assert.deepEqual(policy.shared, []);
  assert.deepEqual(policy.unreadable, [join(home, 'shop', '.env')]);
  assert.ok(policy.hosts.includes('registry.npmjs.org:443'));
  assert.equal(policyOf({ ...facts, commands, env, home }).readable, undefined);
});

test('a worktree shares only a git folder that points back', posixOnly, (context) => {
  const root = tempFolder(context);
  const own = join(root, 'repo/.git/worktrees/task');
  for (const path of [own, join(root, 'repo/.git/objects'), join(root, 'task'), join(root, 'forged')]) {
    mkdirSync(path, { recursive: true });
  }
  writeFileSync(join(root, 'repo/.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(own, 'commondir'), '../..\n');
  writeFileSync(join(own, 'gitdir'), `${join(root, 'task/.git')}\n`);
  for (const folder of ['task', 'forged']) writeFileSync(join(root, folder, '.git'), `gitdir: ${own}\n`);
  assert.equal(sharedGit(join(root, 'task')), join(root, 'repo/.git'));
  assert.equal(sharedGit(join(root, 'forged')), undefined);
  assert.equal(sharedGit(join(root, 'repo')), undefined);
});

test('words of a command stay words for the shell inside', () => {
  const command = { file: "/bin/it's", args: ['$(evil)', 'a b'] };
  assert.equal(
    innerLine(command, '', { mode: 'files', localPorts: [] }, 'linux'),
    String.raw`exec '/bin/it'\''s' '$(evil)' 'a b'`,
  );
  assert.match(
    innerLine(command, '', { mode: 'filesAndNetwork', localPorts: [99] }, 'linux'),
    /TCP4-LISTEN:99,bind=127\.0\.0\.1/,
  );
  const asked = { mode: 'filesAndNetwork', localPorts: [], askedPorts: [98] } as const;
  assert.match(innerLine(command, '', asked, 'linux'), /TCP4-LISTEN:98,/);
  assert.doesNotMatch(innerLine(command, '', { mode: 'filesAndNetwork', localPorts: [99] }, 'darwin'), /socat/);
});

test('what was blocked is read from the lines of all systems', () => {
  assert.deepEqual(readBlockedLine('deny openat /home/me/.zshrc'), { kind: 'write', path: '/home/me/.zshrc' });
  assert.deepEqual(readBlockedLine('cat(12) deny(1) file-read-data /k'), { kind: 'read', path: '/k' });
  assert.deepEqual(readBlockedLine('deny network-outbound example.com:443 (no)'), {
    kind: 'host',
    host: 'example.com',
    port: 443,
  });
  assert.equal(readBlockedLine('something else'), undefined);
  assert.equal(readBlockedLine('deny openat /proc/self/fd/13/tasks'), undefined);
});

test('what is missing is named, with the command that installs it', async () => {
  const env = { PATH: '/usr/bin' };
  const only =
    (...programs: string[]) =>
    (path: string) =>
      programs.some((name) => path === `/usr/bin/${name}`);
  const linux = { platform: 'linux', env, helper: '' } as const;
  const missing = await missingNeed({ ...linux, hasRipgrep: true, isProgram: only('apt-get', 'socat') });
  assert.equal(missing?.line, 'sudo apt-get install bubblewrap');
  const all = only('bwrap', 'socat', 'rg');
  assert.equal(await missingNeed({ ...linux, isProgram: all, run: () => Promise.resolve() }), undefined);
  const refused = { ...linux, isProgram: all, run: () => Promise.reject(new Error('no')) };
  assert.match((await missingNeed({ ...refused, exists: () => true }))?.line ?? '', /apparmor_restrict/);
  assert.equal((await missingNeed({ ...refused, exists: () => false }))?.line, undefined);
  const other = { ...linux, arch: 'riscv64', isProgram: all, run: () => Promise.resolve() };
  assert.match((await missingNeed(other))?.problem ?? '', /processor \(riscv64\)/);
});

test('the security page lists the places that can’t be read', () => {
  const page = readFileSync('docs/security.md', 'utf8');
  const list = /<!-- secret places: begin -->([^]*)<!-- secret places: end -->/.exec(page)?.[1] ?? '';
  assert.deepEqual(
    [...list.matchAll(/`~\/([^`]+)`/g)].map(([, name]) => name),
    [...secretPlaces],
  );
});

test('folders that are too large are refused instead of held in part', posixOnly, (context) => {
  const folder = tempFolder(context);
  for (let n = 0; n < 5001; n += 1) writeFileSync(join(folder, `a${n}.pem`), '');
  assert.throws(() => heldPlaces(folder), TooMuchToHold);
});

test('what git’s settings name inside of a folder stays read-only', posixOnly, (context) => {
  const [home, folder] = [tempFolder(context), tempFolder(context)];
  for (const name of ['.git', 'hooks', 'own-hooks', 'tools']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'more.gitconfig'), '');
  writeFileSync(join(folder, 'tools', 'filter'), '');
  writeFileSync(
    join(home, '.gitconfig'),
    `[core]\n\thooksPath = hooks\n[include]\n\tpath = ${folder}/more.gitconfig\n`,
  );
  writeFileSync(
    join(folder, '.git', 'config'),
    '[core]\n\thooksPath = own-hooks\n[filter "x"]\n\tclean = tools/filter %f\n',
  );
  const { readOnly } = heldPlaces(folder, { home });
  for (const name of ['hooks', 'own-hooks', 'more.gitconfig', 'tools/filter'])
    assert.ok(readOnly.includes(join(folder, name)), name);
  assert.ok(!readOnly.includes(join(folder, 'tools')));
});
