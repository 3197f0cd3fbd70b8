import type { RiskKind, RiskView as Risk } from '../../shared/transcript/transcript';
import { isSqlProgram, otherDangers } from '../danger/otherDangers';
import { onlyWholeLine, tableDangers, type Danger } from '../danger/dangers';
import { replacedFiles } from '../danger/replacedFiles';
import { gitDangers } from '../danger/gitDangers';
import { projectCommand } from '../line/launchers';
import { readWords, usualName } from '../line/programs';
import { hiddenCommands } from './hiddenCommands';
import { movesOut } from './movedOut';
import type { PlacedRequest } from './placedRequest';
import { linesOf, type ParsedRequest } from './ruleRequest';
import { runsInput, runsStream } from './runsInput';
import { longestLine, looseCommand, looseWords, type ShellCommand, type ShellLine } from '../line/shellLine';
import { withParts } from '../line/lineParts';

export type { Risk, RiskKind };

/** A risk, and the words that a rule must contain to name it. */
export type NamedRisk = Danger;

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
  'configures',
  'elevates',
  'stops',
  'runsPrograms',
  'mayDestroy',
];

/** Returns the risks of a request, one of each kind, the greatest first. */
export function risksOf(request: ParsedRequest | PlacedRequest): readonly Risk[] {
  const moved = 'roots' in request ? risksOfMoves(request) : [];
  const risks = [...request.lines.flatMap(risksOfLine), ...looseRisks(request), ...moved];
  return order.flatMap((kind) => risks.find((risk) => risk.kind === kind) ?? []);
}

function risksOfMoves(request: PlacedRequest): readonly Risk[] {
  const commands = request.lines.flatMap(({ commands }) => commands.flatMap(withInner));
  return commands
    .filter((command) => movesOut(command, request) && risksOfCommand(command).length === 0)
    .map((command): Risk => ({ kind: 'mayDestroy', command: command.written }));
}

function risksOfLine(line: ShellLine): readonly Risk[] {
  const commands = line.commands.flatMap(withInner);
  const own = commands.flatMap((command) =>
    risksOfCommand(command).map(({ kind }): Risk => ({ kind, command: command.written })),
  );
  const emptied = line.redirects.filter(({ isEmptying, target }) => isEmptying && !target.text.startsWith('/dev/'));
  const saved = runsSaved(line, commands);
  return [
    ...own,
    ...emptied.map(({ target }): Risk => ({ kind: 'erases', command: `> ${target.written}` })),
    ...(saved ? [{ kind: 'runsDownload', command: saved.written } as const] : []),
  ];
}

function looseRisks(request: ParsedRequest): readonly Risk[] {
  // A line that can't be parsed is read loosely. Parts of a parsed line can be texts, which aren't commands.
  const isParsed = request.lines.length > 0 && request.lines.every(({ problem }) => !problem);
  const texts = isParsed && request.isClear ? [] : [...linesOf(request), ...request.mentions];
  return texts.flatMap((text): Risk[] => {
    const parts = withParts(text).slice(1);
    const ofParts = parts.flatMap((part) =>
      withInner(looseCommand(looseWords(part), part)).flatMap((one) =>
        risksOfCommand(one).map(({ kind }): Risk => ({ kind, command: one.written })),
      ),
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
export function risksOfCommand(command: ShellCommand, depth = 0): readonly NamedRisk[] {
  const texts = command.words.map(({ text }) => text);
  const reading = readWords(texts);
  const { program } = reading;
  // The risks of a shell are those of the line that it runs.
  const isShell = command.inner.length > 0 && interpreters.test(program);
  const risks: NamedRisk[] = isShell ? [] : [...risksOfWords(texts, command)];
  const isInputRun = runsInput(reading, command);
  const reads = command.readsFrom.flatMap(withInner);
  const inWord = command.words.some(({ form, text }) => form !== 'literal' && downloaders.test(text));
  const isDownload = (one: ShellCommand) => downloads.test(usualName(one.words[0]?.text ?? ''));
  if ((isInputRun && reads.some(isDownload)) || ((interpreters.test(program) || program === 'eval') && inWord))
    risks.push({ kind: 'runsDownload', marks: [onlyWholeLine] });
  else if (
    (isInputRun && (reads.length > 0 || command.isForMany)) ||
    runsStream(reading, command) ||
    // The program's name is what another command prints.
    (command.inner.length === 0 && placeholder.test(texts[0] ?? '')) ||
    (interpreters.test(program) &&
      texts.some((text, at) => placeholder.test(text) && /^-\w*[ce]$/.test(texts[at - 1] ?? '')))
  )
    risks.push({ kind: 'mayDestroy', marks: [onlyWholeLine] });
  else if (command.isForMany && command.inner.length === 0 && texts.length === 1 && runsRest.test(program))
    risks.push({ kind: 'mayDestroy', marks: [onlyWholeLine] });
  if (depth < deepest)
    for (const hidden of hiddenCommands(reading, command).flatMap(withInner))
      for (const { kind, marks } of risksOfCommand(hidden, depth + 1))
        risks.push({ kind, marks: [reading.given, ...marks] });
  return risks;
}

function risksOfWords(words: readonly string[], command: ShellCommand): readonly NamedRisk[] {
  const reading = readWords(words);
  const own = [
    ...(reading.program === 'git' ? gitDangers(reading) : tableDangers(reading)),
    ...replacedFiles(reading, command),
    ...otherDangers(reading, {
      hasGlob: command.words.some(({ form }) => form === 'glob' || form === 'dynamic'),
      input: isSqlProgram(reading.program) ? (command.input ?? '') : '',
      isForMany: command.isForMany,
      hasInner: command.inner.length > 0,
    }),
  ];
  const project = projectCommand(words);
  return project
    ? [
        ...own,
        ...risksOfWords(project, command).map(({ kind, marks }) => ({ kind, marks: [words[0] ?? '', ...marks] })),
      ]
    : own;
}

/** What `find` and others put a name in place of. */
const placeholder = /^(\{\d*\}|%+|@+)$/;
/** Run the words after them. */
const runsRest = /^(env|nice|nohup|timeout|time|sudo|npx|bunx|busybox|command|exec|eval|setsid|stdbuf)$/;
/** How deep commands are looked for in the words of others. */
const deepest = 2;

const interpreters =
  /^((ba|z|da|k|a|fi|c|tc)?sh|python|node|deno|bun|perl|ruby|php|pwsh|powershell|source|\.|tsx|ts-node|lua)$/;
const downloads =
  /^(curl|wget|fetch|http|https|aria2c|axel|xh|curlie|iwr|invoke-webrequest|invoke-restmethod|irm|start-bitstransfer)$/;
const downloaders = /\b(curl|wget)\b/;
const unpackers = /^(tar|bsdtar|unzip|7z|gunzip|gzip|xz|bzip2|zstd|unxz|bunzip2|dpkg|ar|cpio|mv|cp|install|chmod)$/;

/** Returns a command that runs a file which the line has downloaded before. */
function runsSaved({ redirects }: ShellLine, commands: readonly ShellCommand[]): ShellCommand | undefined {
  const saved = new Set<string>();
  for (const command of commands) {
    const words = command.words.map(({ text }) => text);
    const { program, args, plain } = readWords(words);
    const name = (text: string) => text.replace(/\/+$/, '').replace(/^.*\//s, '');
    if (downloads.test(program)) {
      const targets = args.flatMap((word, index) => {
        const next = /^(-[a-zA-Z]*[oO]|--output|--output-document|-OutFile)$/i.test(word) ? args[index + 1] : undefined;
        const attached = /^(?:-[oO]|--output(?:-document)?=)(.+)$/s.exec(word)?.[1];
        return [next, attached, /^\w+:\/\//.test(word) ? word.replace(/[?#].*$/s, '') : undefined];
      });
      const all = [
        ...targets,
        ...plain.filter((word) => !word.includes('://')),
        ...redirects.map(({ target }) => target.text),
      ];
      for (const target of all) if (target !== undefined && name(target) !== '') saved.add(name(target));
      continue;
    }
    // An archive that comes through a pipe.
    if (unpackers.test(program) && command.readsFrom.some((one) => downloads.test(usualName(one.words[0]?.text ?? ''))))
      saved.add('*');
    if (saved.size === 0) continue;
    const isSaved = (word: string | undefined) => word !== undefined && saved.has(name(word));
    if (unpackers.test(program) && plain.some(isSaved)) {
      // What was in an archive can have any name.
      for (const word of plain) saved.add(name(word));
      if (program !== 'chmod') saved.add('*');
      continue;
    }
    const script = interpreters.test(program) ? plain[0] : undefined;
    const own = words[0] ?? '';
    if (isSaved(script) || (own.includes('/') && isSaved(own))) return command;
    if (saved.has('*') && (script !== undefined || own.startsWith('./') || (own.includes('/') && !own.startsWith('/'))))
      return command;
  }
  return undefined;
}
