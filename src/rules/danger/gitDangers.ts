import type { RiskKind } from '../../shared/transcript/transcript';
import { onlyWholeLine, optionsIn, type Danger } from './dangers';
import { gitVerbs, type Reading } from '../line/programs';

/** What makes a verb of git destructive: options as in the table of programs, or words after the verb. */
interface Verb {
  readonly kind: RiskKind;
  readonly options?: string;
  /** Words right after the verb. */
  readonly next?: RegExp;
  /** Any word. */
  readonly word?: RegExp;
  /** Destructive whatever follows, except for this. */
  readonly unless?: RegExp;
}

const always = /(?!)/;

/** Git finds the option that an abbreviation stands for, so every beginning of these counts. */
const verbs: Readonly<Record<string, readonly Verb[]>> = {
  push: [
    { kind: 'forcePush', options: '-f|-d|--force|--force-with-lease|--force-if-includes|--mirror|--prune|--delete' },
    { kind: 'forcePush', word: /^(\+\S|:\S)/ },
    { kind: 'runsPrograms', options: '--receive-pack|--exec' },
  ],
  'send-pack': [{ kind: 'forcePush', unless: /^--dry-run$/ }],
  'http-push': [{ kind: 'forcePush', unless: /^--dry-run$/ }],
  svn: [
    { kind: 'forcePush', next: /^(dcommit|commit-diff|set-tree)$/ },
    { kind: 'discards', next: /^(reset|gc)$/ },
  ],
  p4: [{ kind: 'forcePush', next: /^submit$/ }],
  subtree: [{ kind: 'forcePush', next: /^push$/ }],
  'filter-branch': [{ kind: 'forcePush', unless: always }],
  'filter-repo': [{ kind: 'forcePush', unless: always }],
  replace: [{ kind: 'forcePush', unless: /^(-l|--list)$/ }],
  clean: [{ kind: 'discards', unless: /^(-[dfiqxX]*n[a-zA-Z]*|--dry-run)$/ }],
  reset: [{ kind: 'discards', options: '--hard|--merge|--keep' }],
  restore: [{ kind: 'discards', unless: always }],
  switch: [{ kind: 'discards', options: '-f|-C|--force|--force-create|--discard-changes' }],
  stash: [
    { kind: 'discards', next: /^(drop|clear)$/ },
    { kind: 'erases', options: '--output' },
  ],
  branch: [{ kind: 'discards', options: '-D|-f|-M|-C|--force' }],
  tag: [{ kind: 'discards', options: '-d|-f|--delete|--force' }],
  fetch: [
    { kind: 'discards', options: '-f|--force' },
    { kind: 'discards', word: /^\+\S/ },
    { kind: 'runsPrograms', options: '--upload-pack' },
  ],
  pull: [
    { kind: 'discards', options: '-f|--force' },
    { kind: 'discards', word: /^\+\S/ },
  ],
  merge: [{ kind: 'discards', options: '--abort|--quit' }],
  rebase: [
    { kind: 'discards', options: '--abort|--quit|--skip' },
    { kind: 'runsPrograms', options: '-x|--exec' },
  ],
  'cherry-pick': [{ kind: 'discards', options: '--abort|--quit|--skip' }],
  revert: [{ kind: 'discards', options: '--abort|--quit|--skip' }],
  // What a patch changes isn't in the line, and can be a guarded place.
  am: [
    { kind: 'discards', options: '--abort|--quit|--skip' },
    { kind: 'mayDestroy', unless: /^--(abort|quit|skip|continue|resolved|show-current-patch)/ },
  ],
  apply: [
    { kind: 'discards', options: '-R|--reverse|--unsafe-paths' },
    { kind: 'mayDestroy', options: '--apply' },
    { kind: 'mayDestroy', unless: /^--(check|stat|numstat|summary|cached)$/ },
  ],
  mv: [{ kind: 'discards', options: '-f|--force' }],
  rm: [{ kind: 'deletes', options: '-r|-f|--force' }],
  reflog: [{ kind: 'discards', next: /^(expire|delete|drop)$/ }],
  worktree: [{ kind: 'discards', next: /^(remove|prune)$/, options: '-f|--force' }],
  submodule: [
    { kind: 'configures', next: /^(add|set-url|set-branch)$/ },
    { kind: 'discards', next: /^deinit$/ },
    { kind: 'discards', next: /^update$/, options: '-f|--force' },
    { kind: 'runsPrograms', next: /^foreach$/ },
  ],
  gc: [{ kind: 'discards', options: '--prune' }],
  prune: [{ kind: 'discards', unless: /^(-n|--dry-run)$/ }],
  maintenance: [{ kind: 'configures', next: /^(start|register|unregister|stop)$/ }],
  'update-ref': [{ kind: 'discards', unless: always }],
  'symbolic-ref': [{ kind: 'discards', options: '-d|--delete' }],
  'read-tree': [{ kind: 'discards', options: '-u|--reset' }],
  'checkout-index': [{ kind: 'discards', options: '-f|--force' }],
  'update-index': [
    { kind: 'discards', options: '--skip-worktree|--assume-unchanged|--force-remove|--remove|--index-info' },
  ],
  'sparse-checkout': [{ kind: 'discards', next: /^(set|add|reapply|disable|init)$/ }],
  'fast-import': [{ kind: 'discards', unless: always }],
  notes: [{ kind: 'discards', next: /^(remove|prune)$/ }],
  rerere: [{ kind: 'discards', next: /^(clear|forget|gc)$/ }],
  refs: [{ kind: 'discards', next: /^migrate$/ }],
  bisect: [{ kind: 'runsPrograms', next: /^run$/ }],
  lfs: [
    { kind: 'discards', next: /^(prune|uninstall|migrate)$/ },
    { kind: 'configures', next: /^install$/ },
    { kind: 'forcePush', next: /^push$/ },
  ],
  remote: [{ kind: 'configures', next: /^(remove|rm|rename|set-url|set-head|prune|set-branches)$/ }],
  clone: [{ kind: 'runsPrograms', options: '-u|--upload-pack|--template' }],
  init: [{ kind: 'runsPrograms', options: '--template' }],
  'ls-remote': [{ kind: 'runsPrograms', options: '--upload-pack|--exec' }],
  'fetch-pack': [{ kind: 'runsPrograms', options: '--upload-pack|--exec' }],
  archive: [{ kind: 'runsPrograms', options: '--exec' }],
  grep: [{ kind: 'runsPrograms', options: '-O|--open-files-in-pager' }],
  difftool: [{ kind: 'runsPrograms', unless: /^--tool-help$/ }],
  mergetool: [{ kind: 'runsPrograms', unless: /^--tool-help$/ }],
  diff: [
    { kind: 'runsPrograms', options: '--ext-diff' },
    { kind: 'erases', options: '--output' },
  ],
  log: [
    { kind: 'erases', options: '--output' },
    { kind: 'runsPrograms', options: '--ext-diff' },
  ],
  show: [
    { kind: 'erases', options: '--output' },
    { kind: 'runsPrograms', options: '--ext-diff' },
  ],
  shortlog: [{ kind: 'erases', options: '--output' }],
  whatchanged: [{ kind: 'erases', options: '--output' }],
  'rev-list': [{ kind: 'erases', options: '--output' }],
  'diff-tree': [{ kind: 'erases', options: '--output' }],
  'diff-index': [{ kind: 'erases', options: '--output' }],
  'diff-files': [{ kind: 'erases', options: '--output' }],
  'range-diff': [{ kind: 'erases', options: '--output' }],
  'for-each-repo': [{ kind: 'runsPrograms', unless: always }],
  'send-email': [{ kind: 'publishes', unless: /^--dry-run$/ }],
  'imap-send': [{ kind: 'publishes', unless: always }],
  instaweb: [{ kind: 'runsPrograms', unless: always }],
  daemon: [{ kind: 'runsPrograms', unless: always }],
  shell: [{ kind: 'runsPrograms', unless: always }],
  hook: [{ kind: 'runsPrograms', next: /^run$/ }],
  'credential-store': [{ kind: 'configures', unless: always }],
  credential: [{ kind: 'configures', unless: always }],
  quiltimport: [{ kind: 'mayDestroy', unless: always }],
};

/** Settings that `-c` may set without a rule: they change what is printed, or who is the author. */
const harmlessSettings =
  /^(color\.[\w.-]+|user\.(name|email)|core\.(quotepath|autocrlf|safecrlf|abbrev|precomposeunicode|longpaths)|advice\.[\w.]+|commit\.gpgsign|tag\.gpgsign|log\.\w+|init\.defaultbranch|diff\.(noprefix|mnemonicprefix|renames|algorithm|context)|merge\.conflictstyle|pull\.(rebase|ff)|protocol\.version|http\.(version|postbuffer|lowspeedlimit|lowspeedtime)|safe\.directory|column\.\w+|status\.\w+|fetch\.(prune|parallel)|push\.default|rebase\.autostash)(=|$)/i;

/** Settings that name programs, the folders and files that they are in, or what may run them. */
const runningSettings =
  /^(alias|pager|filter|merge|mergetool|difftool|guitool|browser|man|hook|include|includeif|credential|gpg|trailer|protocol|url|extensions|instaweb|sendemail|imap|uploadpack|receive|maintenance|web|init|sequence|interactive|ssh|http|submodule|tar|svn|svn-remote|remote)\.|^core\.(hookspath|fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand|worktree|attributesfile|excludesfile|bare|sharedrepository|repositoryformatversion)|^diff\.(external|.+\.(command|textconv))/i;

/** Returns the words that a rule must have to allow a change of a setting. */
function marksOfSetting(setting: string): readonly string[] {
  const key = setting.replace(/=.*$/s, '');
  if (runningSettings.test(key) && !harmlessSettings.test(key)) return [onlyWholeLine];
  return harmlessSettings.test(key) ? [] : [key];
}

/** Names that are nearly always branches, tags, or commits, and no files. */
const usualRevision =
  /^(-|@.*|(HEAD|FETCH_HEAD|ORIG_HEAD|MERGE_HEAD)\S*|main|master|develop|development|dev|trunk|staging|production|next|canary|gh-pages|[0-9a-f]{7,40}|v?\d+(\.\d+)+\S*|(origin|upstream)\/\S+|refs\/\S+|(feature|features|feat|fix|fixes|bugfix|hotfix|release|releases|chore|topic|dependabot|renovate|user|users|pr|pull|wip|ci|refactor|perf|experiment|try)\/[\w./-]+|\S+[~^]\d*)$/;

/** Returns the dangers of a git command. */
export function gitDangers({ given, before, plain, rest }: Reading): readonly Danger[] {
  const [verb = ''] = plain;
  const args = rest.slice(1);
  const found: Danger[] = [];
  const add = (kind: RiskKind, marks: readonly string[]) => found.push({ kind, marks: [given, ...marks] });
  for (const [index, word] of before.entries()) {
    const setting = word === '-c' ? before[index + 1] : /^-c(.+)$/s.exec(word)?.[1];
    if (setting !== undefined && !harmlessSettings.test(setting))
      add('runsPrograms', ['-c', ...marksOfSetting(setting)]);
    if (/^--(exec-path|config-env)(=|$)/.test(word)) add('runsPrograms', [word.replace(/=.*$/s, ''), onlyWholeLine]);
  }
  if (verb === '') return found;
  // An alias of the user can do anything.
  if (!gitVerbs.has(verb)) add('mayDestroy', [verb]);
  if (args.some((word) => /^(--\w+=)?ext::/.test(word))) add('runsPrograms', [verb]);
  for (const { kind, options, next, word, unless } of Object.hasOwn(verbs, verb) ? (verbs[verb] ?? []) : []) {
    const [first = ''] = args.filter((arg) => !arg.startsWith('-'));
    const isOnlyIndex = (verb === 'rm' && args.includes('--cached')) || (verb === 'restore' && isStaged(args));
    if (isOnlyIndex || (next && !next.test(first))) continue;
    const marks = options === undefined ? [] : optionsIn(options.split('|'), args);
    const words = word ? args.filter((arg) => word.test(arg)) : [];
    if (options !== undefined && marks.length === 0) continue;
    if (word && words.length === 0) continue;
    if (unless && args.some((arg) => unless.test(arg))) continue;
    add(kind, [verb, ...(next ? [first] : []), ...marks, ...words]);
  }
  if (verb === 'checkout') for (const mark of checkoutMarks(args)) add('discards', [verb, ...mark]);
  if (verb === 'config' && writesConfig(args)) {
    const keys = keysOf(args);
    add('configures', [verb, ...(keys.length === 0 ? [onlyWholeLine] : keys.flatMap(marksOfSetting))]);
  }
  if (verb === 'clone') {
    for (const [index, word] of args.entries()) {
      const setting = /^(-c|--conf(ig?)?)$/.test(word)
        ? args[index + 1]
        : /^(?:-c|--conf(?:ig?)?=)(.+)$/s.exec(word)?.[1];
      if (setting !== undefined && !harmlessSettings.test(setting))
        add('runsPrograms', [verb, '-c', ...marksOfSetting(setting)]);
    }
  }
  return found;
}

/** Options that `git config` has before a name, without a value in the next word. */
const beforeName =
  /^(--(global|local|system|worktree|add|replace-all|unset|unset-all|all|bool|int|path|type=\w+)|set|unset)$/;

/** Returns the words that may be the name of a setting: after an option that isn't known, each that looks like one. */
function keysOf(args: readonly string[]): readonly string[] {
  const keys = args.filter((word) => /^[a-z][\w-]*\..+/i.test(word));
  const [first = ''] = keys;
  const isSure = args.slice(0, args.indexOf(first)).every((word) => beforeName.test(word));
  return isSure ? keys.slice(0, 1) : keys;
}

/** Returns whether `git restore` changes only the index. */
function isStaged(args: readonly string[]): boolean {
  const isWorktree = optionsIn(['-W', '--worktree'], args).length > 0;
  return optionsIn(['-S', '--staged'], args).length > 0 && !isWorktree;
}

/** Returns what makes a checkout replace files: options, or anything that may be a path. */
function checkoutMarks(args: readonly string[]): readonly (readonly string[])[] {
  const forced = optionsIn(
    ['-f', '-B', '-p', '--force', '--ours', '--theirs', '--pathspec-from-file', '--overlay', '--no-overlay'],
    args,
  );
  if (forced.length > 0) return [forced];
  if (args.includes('--')) return args.at(-1) === '--' ? [] : [['--']];
  const isNew = optionsIn(['-b', '--orphan', '--track', '-t'], args).length > 0;
  if (isNew) return [];
  const plain = args.filter((word) => !word.startsWith('-') || word === '-');
  const paths = plain.length > 1 ? plain : plain.filter((word) => !usualRevision.test(word));
  return paths.length > 0 ? [paths.slice(-1)] : [];
}

/** Returns whether `git config` changes a setting, any of which can name a program. */
function writesConfig(args: readonly string[]): boolean {
  const reads = /^(-l|--list|--get|--get-all|--get-regexp|--get-urlmatch|--get-color|--get-colorbool)$/;
  if (args.some((word) => reads.test(word))) return false;
  const changes = [
    '-e',
    '--edit',
    '--unset',
    '--unset-all',
    '--add',
    '--replace-all',
    '--rename-section',
    '--remove-section',
  ];
  if (optionsIn(changes, args).length > 0) return true;
  const plain = args.filter(
    (word, index) => !word.startsWith('-') && !/^(-f|--file|--type|--default|--blob)$/.test(args[index - 1] ?? ''),
  );
  if (/^(list|get)$/.test(plain[0] ?? '')) return false;
  return plain.length > 1 || /^(set|unset|edit|rename-section|remove-section)$/.test(plain[0] ?? '');
}
