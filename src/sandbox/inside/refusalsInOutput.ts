import { isAbsolute, join, normalize, resolve } from 'node:path';
import { heldFile } from '../../shared/limits/heldFile';
import { isBelow } from '../../shared/limits/isBelow';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { holdsNetwork } from '../../shared/limits/sandboxMode';
import type { BlockedPlace } from '../../shared/transcript/transcript';

/** What failed, and where. */
export interface FailedCommand {
  /** What it printed, as plain text. */
  readonly output: string;
  /** Paths that the agent named for it. */
  readonly locations: readonly string[];
  readonly cwd: string;
  readonly home: string;
}

/** Only the end of a long output is read, where the cause of a failure is, and of each line what people read. */
const mostLines = 300;
const longestLine = 400;
/** How many things of a kind one command says at most. */
const most = 5;

/** A path or a name as programs print it, perhaps in quotes. */
const word = String.raw`['"‘“]?([^\s'"‘’“”<>]+?)['"’”]?`;
const unixSocket = String.raw`(?:unix:(?:\/\/)?)?(\/[^\s'"‘’“”:;,()]+)`;

/** Each has the socket's path first, if the line has one. */
const socketLines: readonly RegExp[] = [
  // Node, and with it tsx.
  new RegExp(String.raw`\b(?:connect|listen) (?:EPERM|EACCES)\b[^/\n]{0,60}${unixSocket}`, 'g'),
  // Go, and with it Docker.
  new RegExp(String.raw`\bdial unix ${unixSocket}: [^\n]{0,40}(?:operation not permitted|permission denied)`, 'gi'),
  new RegExp(String.raw`\bDocker (?:daemon|API)\b[^\n]{0,60}\bat ${unixSocket}`, 'gi'),
  // PostgreSQL and MySQL.
  new RegExp(String.raw`\bserver on socket ["“]${unixSocket}["”] failed`, 'gi'),
  new RegExp(String.raw`\bMySQL server through socket '${unixSocket}'`, 'gi'),
  // Many others.
  new RegExp(String.raw`${unixSocket}[^\n]{0,40}: (?:Operation not permitted|EPERM)\b(?=[^]{0,200}\bsocket)`, 'gi'),
  /\b(?:create|creating|open|opening|make|making)\b[^\n]{0,20} (?:unix |local )?sockets?\b[^\n]{0,80}operation not permitted/gi,
  // Python, which names the call and not the socket.
  /\bsocket\b[^]{0,200}\bPermissionError: \[Errno 1\]/g,
  /\bsocket: operation not permitted\b/gi,
  /\b(?:can't connect to|error connecting to|no|failed to start|can't check the)\b[^\n]{0,30}\b(?:gpg-agent|keyboxd|dirmngr|scdaemon)\b/gi,
  /\bopen a connection to your authentication agent\b|\berror connecting to agent\b|\bfetch identities: [^\n]{0,40}not permitted/gi,
];

/** Each has a path that couldn't be read or found. */
const missingLines: readonly RegExp[] = [
  new RegExp(String.raw`\b(?:ENOENT|EACCES|EPERM)\b[^\n]{0,60}['"]([^'"\n]+)['"]`, 'g'),
  new RegExp(`${word}: (?:No such file or directory|Permission denied)`, 'g'),
  new RegExp(String.raw`No such file or directory[^\n]{0,20}: ${word}(?=\s|$)`, 'gm'),
];

/** Each has the name that couldn't be resolved. */
const nameLines: readonly RegExp[] = [
  /\bcould(?: not|n't) resolve (?:host(?:name)?|proxy):? ['"]?([\w.-]+)/gi,
  /\bgetaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/g,
  /\b([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})[^\n]{0,80}(?:temporary failure in name resolution|name or service not known)/gi,
  /(?:temporary failure in name resolution|name or service not known)[^\n]{0,80}?\b([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/gi,
  /\b(?:failed to|cannot|can't|unable to) resolve (?:host )?(?:address |name )?['"‘“]?([\w-]{1,63}(?:\.[\w-]{1,63}){1,8})/gi,
  /\blookup ([\w.-]+)(?: on [^\n:]+(?::\d+)?)?: [^\n]{0,60}(?:no such host|server misbehaving|connection refused|not permitted|unreachable)/gi,
];
const nameless = /temporary failure in name resolution|name or service not known|\bEAI_AGAIN\b/i;

/** What `git` and `ssh` say without keys, and without the logins of an address of the web. */
const sshLines =
  /\bPlease make sure you have the correct access rights\b|\bPermission denied \(publickey\b|\bHost key verification failed\b/;
const loginLines = /\bcould not read (?:Username|Password) for ['"]?https?:\/\/([\w.-]+)/;

const busyLines =
  /(?:could not (?:write|lock) config file |fatal: )?([^\s:'"]*\.git\/(?:[^\s:'"]+\/)?config(?:\.worktree)?)\b[^\n]{0,20}: (?:Device or resource busy|Read-only file system)/g;

/**
 * Returns what a sandbox has probably kept from a command that failed, by what it printed. The command is the only source, so this
 * is a hint for people and agents, and never decides anything.
 */
export function refusalsInOutput(policy: SandboxPolicy, command: FailedCommand): readonly BlockedPlace[] {
  const lines = command.output.split('\n').slice(-mostLines);
  const output = lines.map((line) => line.slice(0, longestLine)).join('\n');
  const found = [
    ...sockets(output),
    ...hidden(output, policy, command),
    ...(holdsNetwork(policy.mode) ? names(output) : []),
    ...keys(output),
    ...matches(output, [busyLines]).map((path) => ({ kind: 'write' as const, path: placeOf(path, command) ?? path })),
  ];
  const isFirst = (one: BlockedPlace, at: number) =>
    found.findIndex(({ kind, path }) => kind === one.kind && path === one.path) === at;
  return found.filter(isFirst);
}

function sockets(output: string): readonly BlockedPlace[] {
  const found = matches(output, socketLines).map((path) => path.replace(/\.+$/, ''));
  const named = found.filter((path) => path !== '');
  return (named.length > 0 ? named : found.slice(0, 1)).map((path) => ({ kind: 'socket', path }));
}

function hidden(output: string, policy: SandboxPolicy, command: FailedCommand): readonly BlockedPlace[] {
  const paths = [...command.locations, ...matches(output, missingLines, 200)].flatMap(
    (path) => placeOf(path, command) ?? [],
  );
  return paths
    .filter((path) => isHidden(policy, path))
    .slice(0, most)
    .map((path) => ({ kind: 'read', path }));
}

function names(output: string): readonly BlockedPlace[] {
  const found = matches(output, nameLines).filter((name) => !/^localhost$|\.local$|error$/.test(name));
  return (found.length > 0 ? found : nameless.test(output) ? [''] : []).map((path) => ({ kind: 'name', path }));
}

function keys(output: string): readonly BlockedPlace[] {
  const host = loginLines.exec(output)?.[1];
  if (sshLines.test(output)) return [{ kind: 'key', path: '' }];
  return host === undefined ? [] : [{ kind: 'login', path: host }];
}

/** Returns the first groups of all matches, each once. */
function matches(output: string, patterns: readonly RegExp[], limit = most): readonly string[] {
  const all = patterns.flatMap((pattern) => [...output.matchAll(pattern)].map(([, first = '']) => first));
  return [...new Set(all)].slice(0, limit);
}

function placeOf(path: string, { cwd, home }: FailedCommand): string | undefined {
  if (path.includes('\0') || path === '') return undefined;
  const whole = path.startsWith('~/') ? join(home, path.slice(2)) : path;
  return normalize(isAbsolute(whole) ? whole : resolve(cwd, whole));
}

/** Whether programs don't see a path: it's a secret, or in a home folder of which they see only parts. */
function isHidden(policy: SandboxPolicy, path: string): boolean {
  if (heldFile(policy, path) === 'hidden') return true;
  const { homes = [], stillReadable = [], folders, state, shared, layers = [] } = policy;
  const seen = [...stillReadable, ...folders, ...state, ...shared, ...layers.map(({ place }) => place)];
  return !homes.includes(path) && isBelow(path, homes) && !isBelow(path, seen);
}
