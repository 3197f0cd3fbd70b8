import { passesLine } from '../requestedAction';
import { launchedBy, type Launched } from './launchers';
import type { ShellWord } from './shellWords';

/**
 * Which rules a command needs that runs another one: only rules for the `inner` command, because the outer one changes
 * nothing about it; rules for `both`; a rule that has both `named` together; or any rule for the `outer` one.
 */
export type WrapperNeeds = 'inner' | 'both' | 'named' | 'outer';

/** How a command runs another one that is written in its words. */
export interface Wrapped {
  /** The words of the inner command. */
  readonly words: readonly ShellWord[];
  readonly needs: WrapperNeeds;
  /** Variables that the wrapper sets. */
  readonly assignments: readonly { readonly name: string; readonly value: ShellWord }[];
  /** Whether it runs for each of many files. */
  readonly isForMany?: boolean;
}

/** A command line that a command passes to a shell. */
export interface WrappedLine {
  readonly line: ShellWord;
}

/** What a command runs. `unknown` if it runs something that can't be determined. */
export type Inner = Wrapped | WrappedLine | Launched | 'unknown' | undefined;

interface Options {
  /** Options without a value. */
  readonly flags: RegExp;
  /** Options whose value is the next word. */
  readonly valued?: RegExp;
  /** Number of words before the inner command. */
  readonly operands?: number;
  readonly needs: WrapperNeeds;
  /** Whether the command runs nothing if there are no further words. */
  readonly isOptional?: boolean;
  readonly isForMany?: boolean;
}

const never = /(?!)/;
const simple: Options = { flags: never, needs: 'inner' };

const wrappers: ReadonlyMap<string, Options> = new Map<string, Options>([
  ['command', { flags: /^-p$/, needs: 'inner' }],
  ['builtin', simple],
  ['exec', simple],
  ['nohup', simple],
  ['setsid', { flags: /^(-[cfw]+|--fork|--wait)$/, needs: 'inner' }],
  ['time', { flags: /^-p$/, needs: 'inner' }],
  ['nice', { flags: /^(-\d+|-n-?\d+|--adjustment=-?\d+)$/, valued: /^(-n|--adjustment)$/, needs: 'inner' }],
  ['ionice', { flags: /^(-t|-[cn]\d)$/, valued: /^-[cn]$/, needs: 'inner' }],
  [
    'timeout',
    {
      flags: /^(-[fv]+|--foreground|--preserve-status|--verbose|-[ks]\w+|--(kill-after|signal)=\w+)$/,
      valued: /^(-[ks]|--kill-after|--signal)$/,
      operands: 1,
      needs: 'inner',
    },
  ],
  ['gtimeout', { flags: /^--foreground$/, valued: /^-[ks]$/, operands: 1, needs: 'inner' }],
  ['stdbuf', { flags: /^-[ioe](0|L|\d+)$/, needs: 'inner' }],
  ['caffeinate', { flags: /^-[disu]+$/, valued: /^-[tw]$/, needs: 'inner' }],
  [
    'sudo',
    {
      flags: /^(-[nEHSkbA]+|--non-interactive|--preserve-env|--set-home|--stdin)$/,
      valued: /^(-[ugpCh]|--user|--group)$/,
      needs: 'named',
    },
  ],
  ['doas', { flags: /^-n$/, valued: /^-[uC]$/, needs: 'named' }],
  [
    'xargs',
    {
      flags: /^(-[0rtxp]+|-[nPLsI]\S+|--null|--no-run-if-empty|--verbose|--max-(args|procs|lines)=\d+|--replace=\S+)$/,
      valued: /^-[nPLsIdE]$/,
      needs: 'named',
      isOptional: true,
      isForMany: true,
    },
  ],
]);

/** Shells by name. Their `-c` option is followed by a command line. */
const shells = /^(ba|z|da|k|a)?sh$/;
const usualFolder = /^\/(usr\/(local\/)?)?bin\/|^\/opt\/homebrew\/bin\//;

/** Returns what a command runs. The program's name must be the first word. */
export function innerOf(words: readonly ShellWord[]): Inner {
  const program = programOf(words);
  if (program === undefined) return undefined;
  if (shells.test(program)) return innerOfShell(program, words);
  if (program === 'eval') return words.length === 2 && words[1] ? { line: words[1] } : 'unknown';
  if (program === 'env') return innerOfEnv(words);
  if (program === 'find' || program === 'gfind') return innerOfFind(words);
  // Only looks up the name of a program.
  if (program === 'command' && /^-[vV]$/.test(words[1]?.text ?? '')) return undefined;
  const options = wrappers.get(program);
  return options ? innerAfter(words, options) : launchedBy(words);
}

/** Returns the name of a command's program, without the usual folders; undefined if it isn't known. */
export function programOf([first]: readonly ShellWord[]): string | undefined {
  if (first?.form !== 'literal') return undefined;
  return first.text.replace(usualFolder, '');
}

function innerAfter(words: readonly ShellWord[], options: Options): Inner {
  const { flags, valued = never, operands = 0, needs, isOptional = false, isForMany = false } = options;
  let at = 1;
  while (at < words.length) {
    const { text = '', form } = words[at] ?? {};
    if (form !== 'literal' || !text.startsWith('-')) break;
    at += 1;
    if (text === '--') break;
    if (valued.test(text)) at += 1;
    else if (!flags.test(text)) return 'unknown';
  }
  at += operands;
  const inner = words.slice(at);
  if (inner.length === 0) return isOptional ? undefined : 'unknown';
  return { words: inner, needs, assignments: [], isForMany };
}

function innerOfEnv(words: readonly ShellWord[]): Inner {
  const assignments: { name: string; value: ShellWord }[] = [];
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at];
    const assigned = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(word?.text ?? '');
    if (!word || !assigned) break;
    const [, name = '', text = ''] = assigned;
    assignments.push({ name, value: { text, written: word.written, form: word.form } });
  }
  const inner = words.slice(at);
  if (inner[0]?.text.startsWith('-')) return 'unknown';
  // Without a command, it lists the variables.
  if (inner.length === 0) return assignments.length === 0 ? undefined : 'unknown';
  return { words: inner, needs: 'inner', assignments };
}

function innerOfShell(shell: string, words: readonly ShellWord[]): Inner {
  const options = words.slice(1, -1);
  const line = words.at(-1);
  // Only the usual way to pass a line. A script, or further words, are words of an ordinary command.
  const isLine = passesLine(
    shell,
    options.map(({ text }) => text),
  );
  if (line && isLine) return { line };
  return options.some(({ text, form }) => form !== 'literal' || /^-\w*c/.test(text)) ? 'unknown' : undefined;
}

function innerOfFind(words: readonly ShellWord[]): Inner {
  const starts = words.flatMap(({ text }, index) => (/^-(exec|execdir|ok|okdir)$/.test(text) ? [index] : []));
  if (starts.length === 0) return undefined;
  const [start = 0] = starts;
  const end = words.findIndex(({ text }, index) => index > start && (text === ';' || text === '+'));
  if (starts.length > 1 || end <= start + 1) return 'unknown';
  return { words: words.slice(start + 1, end), needs: 'both', assignments: [], isForMany: true };
}
