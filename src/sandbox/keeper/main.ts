// Runs beside the extension host, once for each sandboxed agent. Has the proxies that decide about its network, and makes the
// command lines that run inside. Ends with the extension host, because their channel closes.
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname } from 'node:path';
import { SandboxManager, type SandboxRuntimeConfig } from '@anthropic-ai/sandbox-runtime';
import { messageOf } from '../../shared/values/messageOf';
import { attempt } from '../../shared/values/attempt';
import { isBelow } from '../../shared/limits/isBelow';
import type { HostTarget } from '../../shared/limits/hostTarget';
import type { HostAnswer } from '../../shared/limits/sandbox';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import { shellWord } from '../inside/commandLine';
import { readBlockedLine, readTriedCall } from './blockedLine';
import { runBrowser } from './browser';
import { followConnections, onceClosed } from './connections';
import { hardened, type Hardening } from './hardened';
import type { FromKeeper, KeeperStart, ToKeeper } from './messages';
import { findOwnProgram } from '../../process/ownProgram';
import { endsFirst } from '../inside/limits';
import { Holds } from './holds';
import { refusedPlace } from './refusal';
import { literal, runtimeConfig } from './runtimeConfig';
import { makeScratch, type Scratch } from '../temporary/scratch';
import { windowsConfig } from './windowsConfig';
import { withEnvironment, type InsideCommand } from '../windows/insideCommand';

const questions = new Map<number, (answer: HostAnswer) => void>();
let nextQuestion = 1;
let seenViolations = 0;

function send(message: FromKeeper): void {
  if (process.connected) process.send?.(message);
}

function ask(target: HostTarget): Promise<boolean | { allow: false; reason: string }> {
  const id = nextQuestion++;
  return new Promise((resolve) => {
    send({ kind: 'ask', id, target });
    const ignore = onceClosed(() => send({ kind: 'closed', id }));
    questions.set(id, (answer) => {
      ignore();
      questions.delete(id);
      if (answer.allow) resolve(true);
      else resolve(answer.reason === undefined ? false : { allow: false, reason: answer.reason });
    });
  });
}

async function start(message: KeeperStart): Promise<void> {
  const { mode, state, homes = [], layers = [] } = message.policy;
  // What doesn't exist can't be made writable, and an agent makes its folder at its first start.
  for (const path of state) {
    if (!path.endsWith('.json')) attempt(() => mkdirSync(path, { recursive: true, mode: 0o700 }));
  }
  for (const { folder } of layers) mkdirSync(folder, { recursive: true, mode: 0o700 });
  followConnections();
  const config = process.platform === 'win32' ? windowsConfig(message, process.argv[1] ?? '') : runtimeConfig(message);
  const scratch = process.platform === 'linux' ? hideTemporary(config, message) : undefined;
  hardening = {
    sealed: [...(message.policy.sealed ?? []), ...homes, ...(scratch?.sealed ?? [])],
    binds: process.platform === 'linux' ? layers.map(({ folder, place }) => [folder, place] as const) : [],
    additions: additionsOf(message, [...homes, ...(scratch?.hidden ?? [])]),
    ...(scratch ? { hiding: scratch.hiding } : {}),
  };
  const own = [message.temporary, ...layers.map(({ place }) => place)];
  const ownPlaces = { ...message.policy, shared: [...message.policy.shared, ...own] };
  const store = SandboxManager.getSandboxViolationStore();
  await SandboxManager.initialize(
    config,
    // On Windows, everything goes through the proxies, also if the network isn't held.
    async ({ host, port }) => !holdsNetwork(mode) || ask({ host: host.toLowerCase(), port: port ?? 443 }),
    true,
  );
  store.subscribe((violations) => {
    const total = store.getTotalCount();
    const fresh = violations.slice(Math.max(0, violations.length - (total - seenViolations)));
    seenViolations = total;
    for (const { line } of fresh) {
      const blocked = readBlockedLine(line);
      if (!blocked) continue;
      const tried = blocked.kind === 'write' ? readTriedCall(line) : undefined;
      const path = tried ? refusedPlace(tried, ownPlaces) : undefined;
      if (!tried) send({ kind: 'blocked', blocked });
      else if (path !== undefined && scratch?.has(path) !== true)
        send({ kind: 'blocked', blocked: { kind: 'write', path } });
    }
  });
  if (process.platform === 'linux') {
    const [nsenter, mount] = ['nsenter', 'mount'].map((name) => findOwnProgram(name));
    const lost = (path: string) => send({ kind: 'blocked', blocked: { kind: 'lost', path } });
    const sources = new Map((message.shown ?? []).map(({ path, source }) => [path, source]));
    holds = new Holds(message.policy, message.temporary, { nsenter, mount }, lost, sources);
    holds.start();
  }
  if (holdsNetwork(mode)) await SandboxManager.waitForNetworkInitialization();
  send({ kind: 'ready' });
}

let holds: Holds | undefined;
let commands = 0;
let hardening: Hardening = {};

/** Has the folders for temporary files hidden that all programs of the machine share. */
function hideTemporary(config: SandboxRuntimeConfig, { policy }: KeeperStart): Scratch {
  const own = tmpdir();
  const { filesystem } = config;
  // Its sockets, and the programs that the library has beside its script.
  const visible = [own, dirname(process.argv[1] ?? own)].map(literal);
  const lists = [filesystem.allowWrite, filesystem.allowRead ?? [], filesystem.denyRead, visible];
  const named = lists.flat().map((one) => (typeof one === 'string' ? one : one.path));
  const scratch = makeScratch({ own, visible: named, homes: policy.homes ?? [] });
  filesystem.allowRead = [...(filesystem.allowRead ?? []), ...visible];
  filesystem.denyRead = [...scratch.hidden.map(literal), ...filesystem.denyRead];
  return scratch;
}

/** What the library puts into the environment of the next command; it must not be the command itself. */
function named() {
  return { commandId: `parley${process.pid}x${++commands}`.padEnd(24, 'x'), commandText: 'parley' };
}

function additionsOf({ policy, shown = [] }: KeeperStart, hidden: readonly string[]): readonly string[] {
  // In a folder that stays visible, the link is there.
  const links = (policy.links ?? []).filter(({ path }) => isBelow(path, hidden));
  return [
    ...shown.map(({ path, source }) => `--ro-bind ${shellWord(source)} ${shellWord(path)}`),
    ...links.map(({ path, to }) => `--symlink ${shellWord(to)} ${shellWord(path)}`),
  ];
}

async function wrap(line: string): Promise<readonly string[]> {
  const wrapped = await SandboxManager.wrapWithSandbox(line, 'sh', undefined, undefined, named());
  if (process.platform !== 'linux') return ['/bin/sh', '-c', `exec ${wrapped}`];
  return ['/bin/sh', '-c', `${endsFirst}exec ${hardened(wrapped, hardening)}`];
}

async function wrapOnWindows(
  { shell, last }: InsideCommand,
  env: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const unchanged = undefined;
  const { argv } = await SandboxManager.wrapWithSandboxArgv(last, shell, unchanged, unchanged, unchanged, named());
  return withEnvironment(argv, env);
}

function answerWith(id: number, wrapping: Promise<readonly string[]>): void {
  wrapping.then(
    (argv) => send({ kind: 'wrapped', id, argv }),
    (error: unknown) => send({ kind: 'notWrapped', id, message: messageOf(error) }),
  );
}

async function end(): Promise<void> {
  holds?.dispose();
  await SandboxManager.reset().catch(() => undefined);
  process.exit(0);
}

/** Serves the extension host. */
function keep(): void {
  process.on('message', (message: ToKeeper) => {
    switch (message.kind) {
      case 'start':
        start(message).catch((error: unknown) => {
          send({ kind: 'failed', message: messageOf(error) });
          void end();
        });
        break;
      case 'wrap':
        answerWith(message.id, wrap(message.line));
        break;
      case 'wrapOnWindows':
        answerWith(message.id, wrapOnWindows(message.command, message.env));
        break;
      case 'ended':
        SandboxManager.cleanupAfterCommand();
        break;
      case 'answer':
        questions.get(message.id)?.(message.answer);
        break;
      case 'end':
        void end();
    }
  });
  process.on('disconnect', () => void end());
  // Signals to everything that the editor started must not open or close anything on their own.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
}

if (process.argv[2] === 'browser') {
  runBrowser(process.argv.slice(3)).then(
    (code) => process.exit(code),
    (error: unknown) => {
      process.stderr.write(`${messageOf(error)}\n`);
      process.exit(1);
    },
  );
} else keep();
