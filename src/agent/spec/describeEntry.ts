import * as l10n from '@vscode/l10n';
import { shortenMiddle, showHiddenOnOneLine } from '../../shared/text/visibleText';
import { isRecord } from '../../shared/values/isRecord';
import { commandText } from './commandLine';
import { defaultConductor } from './proxyChain';
import { unpinnedPackage } from './pinnedPackage';

/**
 * `whole` shows everything. `short` keeps the beginning and end of a long text, and the first and last lines of a long
 * list.
 */
export type Detail = 'whole' | 'short';

/** Maximum length of a text in short form, in characters. */
const shortText = 200;
/** Maximum length of a command on one line, in characters. */
const oneLine = 300;
/** A short list shows this many first and last lines if it has more than both together. */
const [firstLines, lastLines] = [12, 8];

/** Fields with their own label; all others are shown as written. */
const worded = new Set(['command', 'args', 'env', 'envFile', 'cwd', 'url', 'headers', 'proxies', 'conductor']);

/**
 * Describes what an agent or an MCP server runs or connects to, with one line per relevant fact. Shows everything in a
 * definition, including what Parley doesn't understand, and spells out invisible characters.
 */
export function describeEntry(entry: unknown, detail: Detail): readonly string[] {
  if (!isRecord(entry)) return [shown(JSON.stringify(entry), detail)];
  const { command, args, env, envFile, cwd, url, headers, proxies, conductor } = entry;
  const isProgram = typeof command === 'string' && (args === undefined || isTexts(args));
  const isPlain = (value: unknown) => value === undefined || isRecord(value);
  const odd = Object.entries(entry).filter(([name, value]) => {
    if (value === undefined) return false;
    if (!worded.has(name)) return true;
    if (name === 'command' || name === 'args') return !isProgram;
    if (name === 'proxies') return !Array.isArray(value);
    if (name === 'conductor') return !Array.isArray(proxies) || proxies.length === 0;
    return name === 'env' || name === 'headers' ? !isPlain(value) : typeof value !== 'string';
  });
  const unpinned = isProgram ? unpinnedPackage(command, args ?? []) : undefined;
  return [
    ...(isProgram ? commandLines(command, args ?? [], detail) : []),
    ...(unpinned === undefined
      ? []
      : [l10n.t('“{0}” has no version. Each start can run a newer one.', shown(unpinned, detail))]),
    ...(Array.isArray(proxies) ? chainLines(proxies, conductor, detail) : []),
    ...(typeof url === 'string' ? [l10n.t('URL: {0}', shown(url, detail))] : []),
    ...(typeof cwd === 'string' ? [l10n.t('Folder: {0}', shown(cwd, detail))] : []),
    ...pairs(env, (name, value) => l10n.t('Environment variable: {0}={1}', name, value), detail),
    ...(typeof envFile === 'string' ? [l10n.t('Environment file: {0}', shown(envFile, detail))] : []),
    ...pairs(headers, (name, value) => l10n.t('Header: {0}: {1}', name, value), detail),
    ...cut(
      odd.map(([name, value]) => `${shown(name, detail)}: ${shown(JSON.stringify(value), detail)}`),
      detail,
    ),
  ];
}

/** Returns a text on one line that hides nothing: invisible characters are spelled out. */
export function shown(text: string, detail: Detail): string {
  const line = showHiddenOnOneLine(text);
  return detail === 'whole' ? line : shortenMiddle(line, shortText);
}

/** Returns lines of one kind; in short form, only the first and last of many. */
export function cut(lines: readonly string[], detail: Detail): readonly string[] {
  const omitted = lines.length - firstLines - lastLines;
  if (detail === 'whole' || omitted <= 1) return lines;
  return [...lines.slice(0, firstLines), l10n.t('… {0} more …', omitted), ...lines.slice(-lastLines)];
}

function commandLines(command: string, args: readonly string[], detail: Detail): readonly string[] {
  const words = [command, ...args].map((word) => shown(commandText({ command: word, args: [] }), detail));
  const line = words.join(' ');
  if (line.length <= oneLine || words.length === 1) return [l10n.t('Command: {0}', line)];
  const [program = '', ...rest] = words;
  return [
    l10n.t('Command: {0}', program),
    ...cut(
      rest.map((word) => `    ${word}`),
      detail,
    ),
  ];
}

/** Shows every program of a chain besides the agent's own, each with all of its definition. */
function chainLines(proxies: readonly unknown[], conductor: unknown, detail: Detail): readonly string[] {
  const part = (title: string, entry: unknown) => [title, ...describeEntry(entry, detail).map((line) => `    ${line}`)];
  if (proxies.length === 0) return [];
  const program = typeof conductor === 'string' ? { command: conductor, args: defaultConductor.args } : conductor;
  return [
    ...proxies.flatMap((proxy, index) => part(l10n.t('Proxy {0}, which can change messages:', index + 1), proxy)),
    ...part(l10n.t('Conductor, which starts the proxies and the agent:'), program ?? defaultConductor),
  ];
}

function pairs(value: unknown, words: (name: string, value: string) => string, detail: Detail): readonly string[] {
  if (!isRecord(value)) return [];
  return cut(
    Object.entries(value).map(([name, text]) =>
      words(shown(name, detail), shown(typeof text === 'string' ? text : JSON.stringify(text), detail)),
    ),
    detail,
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
