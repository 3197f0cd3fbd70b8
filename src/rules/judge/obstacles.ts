import { isSecretFile } from '../../shared/limits/secretFile';
import { isGuarded, isPlain } from './matchRules';
import type { PlacedRequest, WordPlace } from '../request/placedRequest';
import { withInner, type RiskKind } from '../request/risk';
import { usualName } from '../line/programs';
import { judgedWords, piecesOf } from '../request/ruleRequest';
import { chainKey, type FolderChain, type ShellAssignment } from '../line/shellLine';
import type { ShellWord } from '../line/shellWords';

/** Why rules don't allow a request. Closed: the page has words for each. */
export type Obstacle =
  /** Contains something Parley doesn't understand, such as an unknown field. */
  | { readonly kind: 'unclear' }
  /** Sets a variable that can change which programs run. */
  | { readonly kind: 'environment'; readonly name: string }
  /** Changes a place that makes programs run or contains rules. */
  | { readonly kind: 'guarded'; readonly path: string }
  /** Reaches a path outside the workspace that no rule lists. */
  | { readonly kind: 'outside'; readonly path: string }
  /** A command writes this file, which no rule allows to edit. */
  | { readonly kind: 'writes'; readonly path: string }
  /** Can't be parsed as a command line. */
  | { readonly kind: 'unparsed'; readonly line: string }
  /** Depends on what is only known when it runs, such as a variable. */
  | { readonly kind: 'dynamic'; readonly text: string }
  /** Is destructive, and no rule names it. */
  | { readonly kind: 'destructive'; readonly risk: RiskKind; readonly command: string }
  /** Runs this command, which no rule allows. */
  | { readonly kind: 'command'; readonly command: string }
  /** A kind of request that only a rule listing the kind allows. */
  | { readonly kind: 'openKind' }
  /** Doesn't say which files it touches. */
  | { readonly kind: 'unplaced' }
  /** No rule matches. */
  | { readonly kind: 'none' };

/** Maximum number of paths that rules judge. */
const mostPlaces = 200;

/** Variables that change nothing but output, locale, and the mode of a program. */
const harmless =
  /^(CI|DEBUG|NODE_ENV|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLORTERM|COLUMNS|LINES|LANG|LC_[A-Z]+|TZ|TERM|VERBOSE|LOG_LEVEL|RUST_LOG|RUST_BACKTRACE|CARGO_TERM_COLOR|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTHONIOENCODING|PORT|HEADLESS|UPDATE_SNAPSHOTS?)$/;
/** Variables that decide which programs run. */
const dangerous =
  /^(PATH|IFS|ENV|CDPATH|FPATH|GLOBIGNORE|HOME|SHELL|PS4|PROMPT_COMMAND|EDITOR|VISUAL|PAGER|BROWSER|[A-Z]*_?PAGER|[A-Z]*_?EDITOR|LESS(?:OPEN|CLOSE)|NODE_OPTIONS|NODE_PATH|NODE_EXTRA_CA_CERTS|PERL5.*|RUBYOPT|RUBYLIB|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|MAVEN_OPTS|GRADLE_OPTS|(GIT|SSH|LD|DYLD|BASH|ZSH|ZDOTDIR|npm_config|NPM_CONFIG|XDG|SUDO|DOCKER|KUBE).*|PYTHON(PATH|HOME|STARTUP|INSPECT|BREAKPOINT|WARNINGS)|RUSTC.*|CARGO_(HOME|BUILD|TARGET).*|(CC|CXX|LD|AR|AS)|[A-Z_]*FLAGS|.*_PROXY|.*_proxy)$/;

/** Returns whether a command sets a variable that no rule can allow. */
export function isDangerous({ name, value }: ShellAssignment): boolean {
  return dangerous.test(name) || value.form !== 'literal';
}

export function isHarmless({ name, value }: ShellAssignment): boolean {
  return harmless.test(name) && value.form === 'literal';
}

/** Returns whether a request is about files but doesn't say which. */
export function isUnplaced({ kind = 'other', places }: PlacedRequest): boolean {
  return places.length === 0 && /^(read|edit|delete|move)$/.test(kind);
}

/** Returns what keeps any rule from allowing a request. */
export function lastingObstacle(request: PlacedRequest): Obstacle | undefined {
  const { kind, titles, commands, places, words, lines } = request;
  const isCommand = kind === 'execute' || commands.length > 0;
  if (!request.isClear || !kind || !titles.every((text) => isPlain(text, isCommand))) return { kind: 'unclear' };
  if (places.length + words.length > mostPlaces) return { kind: 'unclear' };
  const guarded = [...places, ...words].find((place) => isGuarded(place, request)) ?? sentSecret(request);
  if (guarded) return { kind: 'guarded', path: guarded.path };
  if (!isCommand) return undefined;
  const [line, ...others] = lines;
  if (!line || others.length > 0) return { kind: 'unclear' };
  if (!isPlain(line.line, true)) return { kind: 'unparsed', line: line.line };
  const { problem } = line;
  if (problem) {
    return problem.kind === 'dynamic'
      ? { kind: 'dynamic', text: problem.text }
      : { kind: 'unparsed', line: problem.text };
  }
  const all = line.commands.flatMap(withInner);
  const unsafe = [...line.assignments, ...all.flatMap(({ assignments }) => assignments)].find(isDangerous);
  if (unsafe) return { kind: 'environment', name: unsafe.name };
  const unknown = all.flatMap(judgedWords).find(({ form }) => form === 'dynamic');
  return unknown && { kind: 'dynamic', text: unknown.written };
}

/** Programs that send files to other machines. */
const senders =
  /^(curl|wget|http|https|xh|curlie|nc|ncat|netcat|socat|scp|sftp|rsync|ftp|lftp|ssh|aws|gsutil|gcloud|az|rclone|gh|glab|s3cmd|s5cmd|mc|croc|wormhole|transfer|telnet|openssl|mail|sendmail|mutt)$/;

/** Returns a file that probably contains secrets, in the words of a program that would send it. */
function sentSecret({ lines, words }: PlacedRequest): WordPlace | undefined {
  const commands = lines.flatMap((line) => line.commands.flatMap(withInner));
  const sent = commands.filter((command) => senders.test(usualName(command.words[0]?.text ?? '')));
  const pieces = new Set(sent.flatMap((command) => judgedWords(command).slice(1).flatMap(piecesOf)));
  return words.find(({ word, realPath }) => pieces.has(word) && (isSecretFile(word) || isSecretFile(realPath)));
}

/** Returns the places of a word in every folder that the command may run in; undefined for those that aren't known. */
export function placesOfWord(
  word: ShellWord,
  folders: readonly FolderChain[],
  { words }: PlacedRequest,
): readonly (readonly [string, readonly WordPlace[]])[] {
  return folders.flatMap((chain) =>
    piecesOf(word).map((piece): readonly [string, readonly WordPlace[]] => {
      const folder = chainKey(chain);
      return [piece, words.filter((place) => place.word === piece && place.folder === folder)];
    }),
  );
}
