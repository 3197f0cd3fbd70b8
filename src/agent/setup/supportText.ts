import { createRedactor } from '../../acp/wire/redact';
import type { TrafficEntry } from '../../acp/wire/traffic';
import { isRecord } from '../../shared/values/isRecord';
import type { AgentTraffic } from '../pool/trafficLogs';
import { reportText } from './setupReport';
import type { Finding } from './check';

/** Everything that goes into a support bundle, before secrets and places are removed. */
export interface SupportData {
  readonly versions: Readonly<Record<string, string>>;
  /** Parley's settings by full name. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Lines of Parley's log, oldest first. */
  readonly log: readonly string[];
  readonly traffic: readonly AgentTraffic[];
  /** The names of all agents whose output may be in the log. */
  readonly agentNames: readonly string[];
}

/** What must not be in a support bundle. */
export interface PrivateData {
  /** Values such as those of environment variables and headers. */
  readonly secrets: readonly string[];
  readonly home: string;
  readonly userName: string;
  readonly host: string;
  /** Absolute paths of the window's folders. */
  readonly folders: readonly string[];
}

/** Number of entries kept of each agent's protocol log. */
const lastEntries = 300;
/** Maximum length of a name that an agent chose, in characters. */
const longestName = 80;

/** Names of users in containers and on servers. They say nothing about a person, and some are words of the log. */
const usualNames = new Set(['root', 'node', 'user', 'admin', 'ubuntu', 'debian', 'vscode', 'codespace', 'localhost']);

/**
 * Returns the text of a support bundle, without secrets, messages, files, and names of the user’s folders. Its headings
 * are in English, for those who read it.
 */
export function supportText(data: SupportData, hide: PrivateData): string {
  const redactor = createRedactor([...hide.secrets, ...secretValues(data.settings)]);
  const settings = redactor.redact(withoutPrompts(data.settings));
  const whole = [
    'Parley support bundle',
    'It has no conversations and no file contents. Keys, values of variables and headers, and your folders are removed.',
    section('Versions', JSON.stringify(data.versions, undefined, 2)),
    section('Setup', reportText(data.findings)),
    section('Settings', JSON.stringify(settings, undefined, 2)),
    section('Log', withoutOutput(data.log, data.agentNames).join('\n')),
    ...data.traffic.map(({ agentName, traffic }) =>
      section(`Protocol log of ${agentName}, names and sizes only`, trafficText(traffic.entries())),
    ),
  ].join('\n\n');
  return withoutPlaces(redactor.redactText(whole), hide);
}

/** Replaces what agents printed, because it may quote a conversation; Parley’s own lines about agents stay. */
function withoutOutput(lines: readonly string[], agentNames: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const [, head = '', text = ''] = /^(\S+ \[\w+\] )([^]*)$/.exec(line) ?? [];
    const name = agentNames.find((agent) => text.startsWith(`${agent}: `));
    if (name === undefined) return line;
    const said = text.slice(name.length + 2);
    if (/^(started .* as process \d+ in |process \d+ ended )/.test(said)) return line;
    return `${head}${name}: (${said.length} characters of output)`;
  });
}

function section(title: string, text: string): string {
  return `== ${title} ==\n\n${text === '' ? '(empty)' : text}`;
}

/** One line per message: its time, direction, method or error, id, and size. Never any of its content. */
export function trafficText(entries: readonly TrafficEntry[]): string {
  const kept = entries.slice(-lastEntries);
  const skipped = entries.length - kept.length;
  const lines = kept.map(({ at, direction, bytes, message }) => {
    const time = new Date(at).toISOString();
    return `${time} ${direction} ${direction === 'send' || direction === 'receive' ? nameOf(message) : ''} ${bytes} bytes`;
  });
  return [...(skipped > 0 ? [`(${skipped} earlier entries)`] : []), ...lines].join('\n');
}

function nameOf(message: unknown): string {
  if (!isRecord(message)) return 'unknown';
  const { method, id, params, error } = message;
  const parts = [isName(method) ? method : error === undefined ? 'result' : 'error'];
  if (isRecord(params) && isRecord(params['update']) && isName(params['update']['sessionUpdate'])) {
    parts.push(params['update']['sessionUpdate']);
  }
  if (isRecord(error) && typeof error['code'] === 'number') parts.push(String(error['code']));
  if (typeof id === 'number') parts.push(`id ${id}`);
  else if (id !== undefined && id !== null) parts.push('id');
  return parts.join(' ');
}

/** Whether a text is the name of a method or kind, and not a sentence. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= longestName && /^[\w$./-]+$/.test(value);
}

/** Replaces the instructions for agents, which are the user's own text. */
function withoutPrompts(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrompts);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === 'systemPrompt' ? '[text]' : withoutPrompts(item)]),
  );
}

/** Returns all values under `env` and `headers`, because programs may repeat them in the log. */
export function secretValues(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(secretValues);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    (key === 'env' || key === 'headers') && isRecord(item)
      ? Object.values(item).flatMap((text) => (typeof text === 'string' ? [text] : []))
      : secretValues(item),
  );
}

/** Replaces the user's folders, user name, and computer name, in all forms in which paths are written. */
export function withoutPlaces(text: string, { home, userName, host, folders }: PrivateData): string {
  const places = [
    ...folders.map((folder, index) => [folder, `[folder ${index + 1}]`] as const),
    [home, '~'] as const,
  ].sort(([one], [other]) => other.length - one.length);
  let result = text;
  for (const [place, name] of places) {
    for (const form of formsOf(place)) result = replaceAll(result, form, name);
  }
  const names = [userName, home.split(/[\\/]/).findLast((part) => part !== '') ?? '', host];
  for (const name of names)
    if (name.length >= 3 && !usualNames.has(name.toLowerCase())) result = replaceWord(result, name);
  return result;
}

function formsOf(place: string): readonly string[] {
  if (place.length < 2) return [];
  const inJson = JSON.stringify(place).slice(1, -1);
  const inUrl = encodeURI(place.replaceAll('\\', '/'));
  return [...new Set([JSON.stringify(inJson).slice(1, -1), inJson, place, inUrl, inUrl.replaceAll(':', '%3A')])];
}

function replaceAll(text: string, part: string, by: string): string {
  return text.replace(new RegExp(escaped(part), 'gi'), () => by);
}

function replaceWord(text: string, word: string): string {
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped(word)}(?![\\p{L}\\p{N}])`, 'giu'), () => '[name]');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
