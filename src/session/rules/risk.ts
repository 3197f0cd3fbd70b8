import type { RiskKind, RiskView as Risk } from '../../shared/transcript';
import { longestLine, type ShellCommand } from './shellLine';
import { programOf } from './wrappers';
import { linesOf, type ParsedRequest } from './ruleRequest';
import { withParts } from './lineParts';

export type { Risk, RiskKind };

/** A risk, and the words that a rule must contain to name it. */
export interface NamedRisk {
  readonly kind: RiskKind;
  readonly marks: readonly string[];
}

/** A mark that no rule for a single command contains: only a rule that is exactly the whole line names it. */
const wholeLine = '\n';

/** The risks, the greatest first. */
const order: readonly RiskKind[] = [
  'runsDownload',
  'disk',
  'deletes',
  'erases',
  'database',
  'infrastructure',
  'forcePush',
  'discards',
  'publishes',
  'permissions',
  'elevates',
];

/** Returns the greatest risk of a request; undefined if it has none that Parley knows. */
export function riskOf(request: ParsedRequest): Risk | undefined {
  const risks = [...parsedRisks(request), ...looseRisks(request)];
  return order.flatMap((kind) => risks.find((risk) => risk.kind === kind) ?? [])[0];
}

function parsedRisks({ lines }: ParsedRequest): readonly Risk[] {
  const commands = lines.flatMap((line) => line.commands.flatMap(withInner));
  return commands.flatMap((command) =>
    risksOfCommand(command).map(({ kind }): Risk => ({ kind, command: command.written })),
  );
}

function looseRisks(request: ParsedRequest): readonly Risk[] {
  // A line that can't be parsed is read loosely. Parts of a parsed line can be texts, which aren't commands.
  const isParsed = request.lines.length > 0 && request.lines.every(({ problem }) => !problem);
  const texts = isParsed && request.isClear ? [] : [...linesOf(request), ...request.mentions];
  return texts.flatMap((text): Risk[] => {
    const parts = withParts(text).slice(1);
    const ofParts = parts.flatMap((command) =>
      risksOfWords(command.replace(/["']/g, '').split(/\s+/)).map(({ kind }): Risk => ({ kind, command })),
    );
    const runs = text.length <= longestLine && downloadAndRun.test(text);
    const elevates = /(^|[\s;&|(])(sudo|doas)\s/.test(text);
    return [
      ...(runs ? [{ kind: 'runsDownload' as const, command: text }] : []),
      ...ofParts,
      ...(elevates ? [{ kind: 'elevates' as const, command: text }] : []),
    ];
  });
}

const downloadAndRun =
  /\b(curl|wget|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)\b[^;\n]*\|\s*(sudo\s+)?(\S*\/)?(ba|z|da|k)?(sh|iex|Invoke-Expression|python\d?|node|perl|ruby)\b/i;

/** Returns a command and all commands that it runs. */
export function withInner(command: ShellCommand): readonly ShellCommand[] {
  return [command, ...command.inner.flatMap(withInner)];
}

/** Returns the risks of a command itself, without those of the commands that it runs. */
export function risksOfCommand(command: ShellCommand): readonly NamedRisk[] {
  const program = programOf(command.words) ?? '';
  const words = [program, ...command.words.slice(1).map(({ text }) => text)];
  // The risks of a shell are those of the line that it runs.
  const isShell = command.inner.length > 0 && interpreters.test(program);
  const risks = isShell ? [] : risksOfWords(words, command.input);
  const runsInput = interpreters.test(program) && !command.words.slice(1).some(({ text }) => /^[^-]/.test(text));
  const reads = command.readsFrom.flatMap(withInner);
  const inWord = command.words.some(({ form, text }) => form !== 'literal' && downloaders.test(text));
  const isDownload = (one: ShellCommand) => downloads.test(programOf(one.words) ?? '');
  if ((runsInput && reads.some(isDownload)) || ((interpreters.test(program) || program === 'eval') && inWord))
    risks.push({ kind: 'runsDownload', marks: [wholeLine] });
  return risks;
}

const interpreters = /^((ba|z|da|k|a|fi)?sh|python[\d.]*|node|deno|bun|perl|ruby|php|pwsh|powershell|source|\.)$/;
const downloads = /^(curl|wget|fetch|http|https|aria2c)$/;
const downloaders = /\b(curl|wget)\b/;
const registries =
  /^(npm|pnpm|yarn|bun|cargo|poetry|uv|flit|hatch|lerna|nx|vsce|ovsx|mvn|gradle|\.\/gradlew|helm|dart|flutter|wasm-pack|changeset|jsr|deno)$/;
const databases = /^(psql|mysql|mariadb|sqlite3|sqlcmd|mongosh?|redis-cli|clickhouse-client|cockroach|bq|duckdb)$/;
const destroysData =
  /\b(drop\s+(table|database|schema|keyspace|view|index|user|role)|truncate(\s+table)?\s+\w|delete\s+from\s+\S+\s*(;|"|'|$)|dropDatabase|flush(all|db))\b/i;

/** Returns the risks of a program's words. `input` is the text on its standard input, if known. */
function risksOfWords([given = '', ...args]: readonly string[], input = ''): NamedRisk[] {
  // Where files ignore case, so do the names of programs.
  const program = given
    .replace(/^.*[\\/]/, '')
    .replace(/\.(exe|com|cmd|bat)$/i, '')
    .toLowerCase();
  const options = args.filter((word) => word.startsWith('-') && word !== '-' && word !== '--');
  const plain = args.filter((word) => !word.startsWith('-'));
  const short = (letters: RegExp) => options.filter((word) => /^-[A-Za-z]+$/.test(word) && letters.test(word));
  const long = (...names: readonly string[]) =>
    options.filter((word) => names.some((name) => word === name || word.startsWith(`${name}=`)));
  const found: NamedRisk[] = [];
  const add = (kind: RiskKind, marks: readonly string[]) => found.push({ kind, marks: [given, ...marks] });
  const slashes = (pattern: RegExp) => args.filter((word) => pattern.test(word));
  switch (program) {
    case 'cmd':
    case 'powershell':
    case 'pwsh':
    case 'bash':
    case 'sh': {
      // A shell whose line wasn't parsed, as on Windows.
      const start = args.findIndex((word) => /^(\/c|-c|-command|-lc)$/i.test(word));
      const inner = start < 0 ? [] : args.slice(start + 1).flatMap((word) => word.split(/\s+/));
      if (inner.length > 0) for (const { kind, marks } of risksOfWords(inner)) add(kind, marks);
      break;
    }
    case 'rm':
    case 'grm': {
      const recursive = [...short(/[rR]/), ...long('--recursive')];
      if (recursive.length > 0) add('deletes', [...new Set([...recursive, ...short(/f/), ...long('--force')])]);
      else if (slashes(/^-(r|re|rec\w*)$/i).length > 0) add('deletes', slashes(/^-(r|re|rec\w*)$/i));
      break;
    }
    case 'find':
    case 'gfind':
      if (args.includes('-delete')) add('deletes', ['-delete']);
      break;
    case 'rsync':
      if (long('--delete').length > 0 || options.some((word) => word.startsWith('--delete')))
        add(
          'deletes',
          options.filter((word) => word.startsWith('--delete')),
        );
      break;
    case 'del':
    case 'erase':
    case 'rd':
    case 'rmdir':
    case 'ri':
    case 'remove-item': {
      const recursive = slashes(/^(\/s|-r(ec(urse?)?)?)$/i);
      if (recursive.length > 0) add('deletes', recursive);
      break;
    }
    case 'git':
      gitRisks(args, add);
      break;
    case 'dd':
    case 'fdisk':
    case 'gdisk':
    case 'sfdisk':
    case 'parted':
    case 'diskutil':
    case 'diskpart':
    case 'wipefs':
    case 'mkswap':
    case 'format':
    case 'format-volume':
    case 'clear-disk':
      add('disk', []);
      break;
    case 'chmod':
    case 'chown':
    case 'chgrp': {
      const recursive = [...short(/R/), ...long('--recursive')];
      if (recursive.length > 0) add('permissions', recursive);
      break;
    }
    case 'icacls':
    case 'takeown':
      if (slashes(/^\/[tr]$/i).length > 0) add('permissions', slashes(/^\/[tr]$/i));
      break;
    case 'sudo':
    case 'doas':
    case 'su':
    case 'runas':
    case 'pkexec':
      add('elevates', []);
      break;
    case 'shred':
    case 'truncate':
    case 'srm':
      add('erases', []);
      break;
    case 'kubectl':
    case 'oc': {
      const verb = plain.find((word) => /^(delete|drain)$/.test(word));
      if (verb !== undefined) add('infrastructure', [verb]);
      break;
    }
    case 'terraform':
    case 'tofu':
    case 'pulumi':
    case 'terragrunt':
    case 'cdk': {
      const verb = plain.find((word) => /^(destroy|down)$/.test(word));
      if (verb !== undefined) add('infrastructure', [verb]);
      else if (options.includes('-destroy')) add('infrastructure', ['-destroy']);
      break;
    }
    case 'docker':
    case 'podman':
      if (plain.includes('prune')) add('infrastructure', ['prune']);
      else if (plain[0] === 'volume' && plain[1] === 'rm') add('infrastructure', ['volume', 'rm']);
      break;
    case 'helm':
      if (/^(uninstall|delete)$/.test(plain[0] ?? '')) add('infrastructure', [plain[0] ?? '']);
      break;
    case 'gh':
      if (plain.includes('delete')) add('infrastructure', ['delete']);
      break;
    case 'twine':
      if (plain[0] === 'upload') add('publishes', ['upload']);
      break;
    case 'gem':
    case 'nuget':
    case 'pod':
      if (plain.includes('push')) add('publishes', ['push']);
      break;
    case 'dotnet':
      if (plain[0] === 'nuget' && plain[1] === 'push') add('publishes', ['push']);
      break;
    case 'dropdb':
    case 'dropuser':
      add('database', []);
      break;
  }
  if (/^mkfs(\.\w+)?$/.test(program) || program === 'newfs') add('disk', []);
  if (registries.test(program)) {
    const verb = plain
      .slice(0, 4)
      .find((word) =>
        /^(publish|unpublish|deprecate|yank|deploy:deploy|release:perform|publishToMavenCentral)$/.test(word),
      );
    if (verb !== undefined && !options.includes('--dry-run')) add('publishes', [verb]);
  }
  if (databases.test(program)) {
    const text = [...args, input].join(' ');
    if (destroysData.test(text)) add('database', [destroysData.exec(text)?.[0].split(/\s+/)[0] ?? '']);
  }
  return found;
}

/** Options of git itself whose value is the next word. */
const gitValued = /^(-C|-c|--git-dir|--work-tree|--namespace|--exec-path)$/;

function gitRisks(args: readonly string[], add: (kind: RiskKind, marks: readonly string[]) => void): void {
  let at = 0;
  while (args[at]?.startsWith('-')) at += gitValued.test(args[at] ?? '') ? 2 : 1;
  const verb = args[at] ?? '';
  const rest = args.slice(at + 1);
  const having = (pattern: RegExp) => rest.filter((word) => pattern.test(word));
  switch (verb) {
    case 'push': {
      const forced = having(
        /^(--force(-with-lease|-if-includes)?(=.*)?|-[a-z]*f[a-z]*|--mirror|--prune|--delete|-d|\+\S+|:\S+)$/,
      );
      if (forced.length > 0) add('forcePush', [verb, ...forced.map((word) => word.replace(/=.*$/s, ''))]);
      break;
    }
    case 'clean':
      if (having(/^(-[a-zA-Z]*n[a-zA-Z]*|--dry-run)$/).length === 0) add('discards', [verb]);
      break;
    case 'reset':
      if (having(/^--(hard|merge|keep)$/).length > 0) add('discards', [verb, ...having(/^--(hard|merge|keep)$/)]);
      break;
    case 'checkout':
    case 'restore':
    case 'switch': {
      const marks = having(/^(--|\.|-f|--force|--discard-changes|:\/)$/);
      const isStaged = rest.includes('--staged') && !rest.includes('--worktree');
      if (verb === 'restore' && !isStaged) add('discards', [verb]);
      else if (verb !== 'restore' && marks.length > 0) add('discards', [verb, ...marks]);
      break;
    }
    case 'stash':
      if (/^(drop|clear)$/.test(rest[0] ?? '')) add('discards', [verb, rest[0] ?? '']);
      break;
    case 'branch':
      if (having(/^-[a-zA-Z]*D[a-zA-Z]*$/).length > 0) add('discards', [verb, ...having(/^-[a-zA-Z]*D[a-zA-Z]*$/)]);
      break;
    case 'rm':
      if (having(/^(-[a-z]*[rf][a-z]*|--force)$/).length > 0)
        add('deletes', [verb, ...having(/^(-[a-z]*[rf][a-z]*|--force)$/)]);
      break;
    case 'filter-branch':
    case 'filter-repo':
      add('forcePush', [verb]);
      break;
    case 'reflog':
      if (rest[0] === 'expire' || rest[0] === 'delete') add('discards', [verb, rest[0]]);
      break;
    case 'worktree':
      if (rest[0] === 'remove' && having(/^(-f|--force)$/).length > 0) add('discards', [verb, 'remove']);
      break;
  }
}
