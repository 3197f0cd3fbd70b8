import type { RiskKind } from '../../shared/transcript/transcript';
import { optionsIn, type Danger } from './dangers';
import { codeIn } from './inlineCode';
import { sedEmpties, sedWrites } from './sedScript';
import { usualName, type Reading } from '../line/programs';
import { printsNothing, type ShellCommand } from '../line/shellLine';

/* Commands that put something else in the place of a file, or nothing: copies of nothing, archives, edits in place. */

const nothing = /^(\/dev\/(null|zero|u?random)|file:\/\/\/dev\/null)$/;
const fewFiles = 3;
/** Replace each file by a compressed one, unless an option keeps it. */
const compressors =
  /^(gzip|gunzip|pigz|unpigz|bzip2|bunzip2|pbzip2|lbzip2|xz|unxz|lzma|unlzma|pixz|lzip|plzip|compress|uncompress|ccrypt|ccencrypt|ccdecrypt)$/;
/** Keep each file, unless an option removes it. */
const keepers = /^(zstd|unzstd|zstdmt|pzstd|lz4|unlz4|lzop|brotli)$/;

/** Returns what a command does to the contents of files. */
export function replacedFiles(reading: Reading, command: ShellCommand): readonly Danger[] {
  const { program, given, args, plain } = reading;
  const found: Danger[] = [];
  const add = (kind: RiskKind, marks: readonly string[] = []) => found.push({ kind, marks: [given, ...marks] });
  const has = (...options: readonly string[]) => optionsIn(options, args).length > 0;
  const hasGlob = command.words.some(({ form }) => form === 'glob' || form === 'dynamic');
  const areMany = hasGlob || command.isForMany || plain.length > fewFiles;
  if (
    compressors.test(program) &&
    !has('-k', '-c', '-t', '-l', '--keep', '--stdout', '--to-stdout', '--test', '--list')
  ) {
    const recursive = optionsIn(['-r', '--recursive'], args);
    if (recursive.length > 0 || areMany) add('deletes', recursive);
  }
  if (
    keepers.test(program) &&
    has('--rm', ...(program === 'lzop' ? ['-U', '--delete'] : ['-j'])) &&
    (areMany || has('-r'))
  )
    add('deletes');
  if (/^(cp|install|rsync|curl|wget|uniq|objcopy)$/.test(program)) {
    const isTarget = has('-t', '--target-directory') || /^(curl|wget)$/.test(program);
    if ((isTarget ? args : plain.slice(0, -1)).some((word) => nothing.test(word))) add('erases');
  }
  if (program === 'sort' && has('-o', '--output') && plain.includes('/dev/null')) add('erases');
  if (/^(tee|sponge)$/.test(program) && !has('-a', '--append') && (areMany || takesNothing(command, plain)))
    add('erases');
  if (program === 'sed') {
    if (sedWrites(args)) add('mayDestroy');
    if (sedEmpties(args)) add('erases');
  }
  if (
    /^(perl|ruby)$/.test(program) &&
    has('-i') &&
    has('-n') &&
    !/\b(print|say|printf|puts|p|pp|write)\b/.test(codeIn(reading)?.code ?? 'print')
  )
    add('erases');
  if (/^(rename|prename|file-rename|perl-rename)$/.test(program)) renaming(reading, add);
  if (program === 'cpio' && has('-i', '-p', '--extract', '--pass-through') && !has('-t', '--list')) add('mayDestroy');
  return found;
}

/** Returns whether a program that writes what it reads gets nothing, or reads what it is about to write. */
function takesNothing({ input, readsFrom }: ShellCommand, targets: readonly string[]): boolean {
  if (input !== undefined) return input.replaceAll("''", '').replaceAll('""', '').trim() === '';
  if (readsFrom.length === 0 || targets.length === 0) return false;
  const isOwn = ({ words }: ShellCommand) =>
    !/^(echo|printf)$/.test(usualName(words[0]?.text ?? '')) &&
    words.slice(1).some(({ text }) => targets.includes(text));
  return readsFrom.every(({ words }) => printsNothing(words)) || readsFrom.some(isOwn);
}

/** Files that get one name replace each other, and the expression of Perl's `rename` is code. */
function renaming({ plain, args }: Reading, add: (kind: RiskKind, marks?: readonly string[]) => void): void {
  const forced = optionsIn(['-f', '--force'], args);
  if (forced.length > 0) add('erases', forced);
  const [expression = ''] = plain;
  if (/^[\w.-]*$/.test(expression)) return;
  const [, pattern = '', replacement = '', flags = ''] =
    /^s(?:\/((?:\\.|[^\\/])*)\/((?:\\.|[^\\/])*)\/)([a-z]*)$/s.exec(expression) ?? [];
  if (pattern === '' ? !/^(y|tr)\/[^/]*\/[^/]*\/[a-z]*$/.test(expression) : flags.includes('e')) add('mayDestroy');
  else if (/\.[*+]/.test(pattern) && !/[$\\&]/.test(replacement)) add('erases');
}
