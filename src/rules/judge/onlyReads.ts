import type { ToolCallContent } from '../../shared/transcript/content';
import { readWords } from '../line/programs';
import type { ShellCommand, ShellLine } from '../line/shellLine';
import type { ParsedRequest } from '../request/ruleRequest';

/** Programs that only read files and print, whatever their arguments, apart from `risky` ones. */
const readers =
  /^(cat|bat|head|tail|wc|grep|egrep|fgrep|rg|ag|ack|ls|dir|tree|stat|file|du|df|pwd|cd|echo|printf|diff|cmp|comm|cut|tr|nl|fold|jq|which|uname|whoami|basename|dirname|realpath|readlink|true|false|find|fd|fdfind|sort|column|strings|md5sum|sha1sum|sha256sum)$/;

/** Arguments with which some of them write or run something. */
const risky: Readonly<Record<string, RegExp>> = {
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprint0|fprintf|fls)$/,
  fd: /^(-[a-zA-Z]*[xX]|--exec.*)/,
  fdfind: /^(-[a-zA-Z]*[xX]|--exec.*)/,
  rg: /^(--pre|--pre=.*|--hostname-bin.*|-z|--search-zip)$/,
  ag: /^--pager/,
  ack: /^--(pager|output)/,
  bat: /^--(pager|config|generate)|^cache$/,
  tree: /^(-[a-zA-Z]*[oR]|--output.*)/,
  sort: /^(-[a-zA-Z]*[oT]|--output.*|--compress-program.*|--temp.*)/,
  file: /^(-[a-zA-Z]*[C]|--compile)/,
  cd: /^$/,
};

/** Verbs of Git that only read, and arguments with which they don't. */
const gitReads =
  /^(diff|log|show|status|blame|annotate|ls-files|ls-tree|grep|rev-parse|rev-list|merge-base|cat-file|shortlog|describe|name-rev|diff-tree|diff-index|diff-files|for-each-ref|show-ref|whatchanged|count-objects)$/;
const gitRisky = /^(--output(=.*)?|--ext-diff|--textconv|-O.*|--open-files-in-pager.*|--exec.*|--filters)$/;
/** What may be between `git` and its verb. */
const gitBefore = /^(--no-pager|--no-optional-locks|--literal-pathspecs|-P)$/;

/**
 * Returns whether a request certainly changes nothing. Only what is known to read counts: a program, an option, or a kind of request that
 * isn't known may change something.
 */
export function onlyReads(request: ParsedRequest, content: readonly ToolCallContent[]): boolean {
  const { kind, lines, isClear, mcp } = request;
  if (content.some(({ type }) => type === 'diff' || type === 'change')) return false;
  if (lines.length > 0) return isClear && lines.every(lineReads);
  if (kind === undefined) return false;
  if (mcp) return kind === 'read' || kind === 'search';
  return kind === 'read' || kind === 'search' || kind === 'think' || kind === 'fetch';
}

function lineReads({ commands, assignments, redirects, problem }: ShellLine): boolean {
  if (problem || commands.length === 0 || assignments.length > 0) return false;
  return (
    redirects.every(({ isWrite, target }) => !isWrite || target.text === '/dev/null') && commands.every(commandReads)
  );
}

function commandReads({ words, assignments, inner, inLines }: ShellCommand): boolean {
  if (assignments.length > 0 || inner.length > 0 || inLines.length > 0) return false;
  const texts = words.map(({ text }) => text);
  // A path may lead to a program of the workspace with a usual name.
  if (/[\\/]/.test(texts[0] ?? '')) return false;
  const { program } = readWords(texts);
  const args = texts.slice(1);
  if (program === 'git') return gitOnlyReads(args);
  if (program === 'sed') return isPrintingSed(args);
  return readers.test(program) && !args.some((arg) => risky[program]?.test(arg) === true);
}

function gitOnlyReads(args: readonly string[]): boolean {
  let at = 0;
  while (at < args.length) {
    const arg = args[at] ?? '';
    if (arg === '-C') at += 2;
    else if (gitBefore.test(arg)) at += 1;
    else break;
  }
  return gitReads.test(args[at] ?? '') && !args.slice(at + 1).some((arg) => gitRisky.test(arg));
}

/** `sed -n 10,20p file` prints lines. Other scripts can write and run programs. */
function isPrintingSed(args: readonly string[]): boolean {
  const [option, script = '', ...files] = args;
  return option === '-n' && /^\d+(,(\d+|\$))?p$/.test(script) && files.every((file) => !file.startsWith('-'));
}
