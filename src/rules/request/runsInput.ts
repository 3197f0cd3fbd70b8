import { usualName, type Reading } from '../line/programs';
import { looseCommand, looseWords, type ShellCommand } from '../line/shellLine';

/* Programs that run what they read: from a pipe, or from a file that is the output of another command. */

const shells = /^((ba|z|da|k|a|mk|rba|rk|ya)?sh|fish|c?sh|tcsh|rbash|nu|elvish|xonsh)$/;
const interpreters =
  /^(python|node|deno|bun|perl|ruby|php|pwsh|powershell|source|\.|tsx|ts-node|lua|luajit|tclsh|wish|expect|julia|rscript|r|irb|ghci|groovy|scala|swift|osascript|guile|racket|m4|gnuplot|ed|ex|xonsh)$/;
const databases =
  /^(psql|pgcli|mysql|mariadb|mycli|sqlite3|sqlite|duckdb|mongosh|mongo|clickhouse|clickhouse-client|cockroach|cqlsh|sqlcmd|redis-cli|snowsql|usql|sqlplus)$/;
/** Options after which these don't read statements from their input. */
const hasStatement = /^(-[ceqfQ]|-[a-zA-Z]*[ce]|--(command|execute|eval|file|query)(=.*)?)$/;
const input = /^(-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/;
/** Options of interpreters whose value is the next word. */
const valued = /^([-+][oO]|--rcfile|--init-file|-W|-X|-I)$/;
const scriptOption = /^(-f|--file|--makefile)$/;
const takesScript = /^(make|gmake|awk|gawk|mawk|nawk|sed|psql|mysql|just|task)$/;
/** Programs that only read files. */
const readers =
  /^(cat|tac|bat|head|tail|wc|grep|egrep|fgrep|rg|ag|sort|uniq|comm|diff|cmp|join|paste|cut|tr|column|nl|fold|fmt|jq|yq|less|more|md5sum|sha\d+sum|shasum|cksum|b2sum|base64|xxd|od|hexdump|strings|file|stat|tee|echo|printf|test|\[|git|colordiff|delta|sdiff|diff3|icdiff|wdiff|gron|xmllint|pr|rev|numfmt|shuf|tsort|ls|readlink|du|mapfile|readarray)$/;

/** Returns whether a program runs its standard input. */
export function runsInput({ program, args, plain }: Reading, command: ShellCommand): boolean {
  if (shells.test(program) && args.some((word) => /^-[a-z]*s$/.test(word))) return true;
  if (shells.test(program) || interpreters.test(program)) {
    const own = args.filter((_, index) => !valued.test(args[index - 1] ?? ''));
    const operand = own.find((word) => input.test(word) || !/^[-+]/.test(word));
    return operand === undefined || input.test(operand);
  }
  if (
    takesScript.test(program) &&
    args.some((word, index) => scriptOption.test(word) && input.test(args[index + 1] ?? ''))
  )
    return true;
  if (databases.test(program))
    return (
      !args.some((word) => hasStatement.test(word)) && plain.length < (/^(sqlite3?|duckdb)$/.test(program) ? 2 : 3)
    );
  return /^(parallel|sem|rush|ssh|mosh|autossh)$/.test(program) && command.inner.length === 0;
}

/** Returns whether a command runs, or may run, the output of another one that is written in its place. */
export function runsStream({ program, args }: Reading, { words, inner }: ShellCommand): boolean {
  const streams = words.filter(({ form }) => form === 'stream');
  if (streams.some(({ text }) => text.startsWith('>') && runsWritten(text))) return true;
  const read = streams.find(({ text }) => text.startsWith('<'));
  if (!read || readers.test(program)) return false;
  // What a launcher runs is judged by itself.
  if (inner.some((command) => command.words.includes(read))) return false;
  if (shells.test(program) || interpreters.test(program)) {
    const script = args.find((word, index) => !/^[-+]/.test(word) && !valued.test(args[index - 1] ?? ''));
    return script === undefined || script === read.text;
  }
  return true;
}

/** Returns whether the command in `>(…)` runs what is written to it. */
function runsWritten(text: string): boolean {
  const words = looseWords(text.slice(2, -1));
  const command = looseCommand(words, text);
  const program = usualName(words[0]?.text ?? '');
  const args = words.slice(1).map((word) => word.text);
  const isRunner = shells.test(program) || interpreters.test(program);
  return isRunner && (args.every((word) => word.startsWith('-')) || command.inner.length === 0);
}
