/*
 * Reads the words of a command as its program does: its usual name, its own options before the verb, and the verb.
 * Rules, risks, offers, and Allow everything all use this reader.
 */

/** A command's words, as its program reads them. */
export interface Reading {
  /** The program as written. */
  readonly given: string;
  /** Its usual name, in lower case. */
  readonly program: string;
  /** The program's own options, before the verb, with their values. */
  readonly before: readonly string[];
  /** Everything after the program. */
  readonly args: readonly string[];
  /** The verb and all words after it. */
  readonly rest: readonly string[];
  /** The words that are neither options nor the values of known options. */
  readonly plain: readonly string[];
  /** The options, also those after the verb. */
  readonly options: readonly string[];
  /** How many words of `plain` may be values of options that aren't known. */
  readonly unsure: number;
}

/** Options that have their value in the next word, of programs whose verbs can come after options. */
const valuedOptions: Readonly<Record<string, string>> = {
  git: '-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source --list-cmds',
  docker:
    '-H --host -c --context -l --log-level --config --tlscacert --tlscert --tlskey -f --file -p --project-name --profile --env-file --project-directory --progress --parallel --ansi',
  kubectl:
    '-n --namespace --context --cluster --kubeconfig --user -s --server --token --as --as-group --request-timeout --cache-dir --certificate-authority --client-certificate --client-key --tls-server-name -l --selector -f --filename -o --output -c --container',
  helm: '-n --namespace --kube-context --kubeconfig --kube-token --registry-config --repository-cache --repository-config',
  npm: '--prefix -C -w --workspace --registry --userconfig --globalconfig --loglevel --cache --tag --otp',
  pnpm: '-C --dir -F --filter --filter-prod --workspace-concurrency --loglevel --registry --reporter --store-dir',
  yarn: '--cwd --registry --cache-folder --modules-folder',
  bun: '--cwd --filter -F -c --config',
  deno: '-L --log-level -c --config --import-map',
  cargo: '-C --config -Z --color --manifest-path -p --package --target --target-dir --features -F -j --jobs',
  go: '-C',
  aws: '--profile --region --output --endpoint-url --query --cli-read-timeout --cli-connect-timeout --color --ca-bundle',
  gcloud:
    '--project --account --configuration --format --verbosity --impersonate-service-account --billing-project --zone --region --flags-file',
  az: '--subscription -o --output --query',
  gh: '-R --repo --hostname',
  glab: '-R --repo -g --group',
  make: '-C --directory -f --file --makefile -o -W -I --include-dir',
  just: '-f --justfile -d --working-directory --shell --dotenv-path',
  systemctl: '-H --host -M --machine -t --type -p --property -n --lines -o --output --root --state -s --signal',
  apt: '-o --option -c --config-file -t --target-release -a',
  pip: '--python --log --proxy --cache-dir --retries --timeout --cert --client-cert --trusted-host',
  poetry: '-C --directory -P --project',
  uv: '--directory --project --config-file --color --cache-dir --python -p --with --extra --group --index-url',
  hg: '-R --repository --cwd --config',
  jj: '-R --repository --config --config-toml --at-op --at-operation --color',
  svn: '--username --password --config-dir --config-option',
  mvn: '-f --file -pl --projects -P --activate-profiles -s --settings -t -T --threads -gs',
  gradle:
    '-p --project-dir -b --build-file -c --settings-file -g --gradle-user-home -I --init-script -x --exclude-task',
  composer: '-d --working-dir',
  turbo: '--cwd --filter -F --cache-dir --concurrency --log-order --team --token',
  nx: '--projects -p --target -t --configuration -c --parallel --runner',
  lerna: '--scope --ignore --since --concurrency --loglevel',
  firebase: '-P --project --token --account',
  heroku: '-a --app -r --remote',
  fly: '-a --app -c --config -t --access-token -o --org',
  vercel: '-t --token -S --scope --cwd -A --local-config -Q --global-config',
  wrangler: '-c --config -e --env --cwd',
  supabase: '--workdir --profile --experimental --network-id',
  adb: '-s -t -H -P -L',
  'redis-cli': '-h -p -s -a -n -u --user --pass -r -i -d',
  terraform: '',
  pulumi: '-C --cwd -s --stack --color',
  prisma: '--schema --config',
  vagrant: '',
  ansible: '-i --inventory -m --module-name -u --user -l --limit -e --extra-vars',
};

/** Programs that read their words like another one. */
const sameAs: Readonly<Record<string, string>> = {
  podman: 'docker',
  nerdctl: 'docker',
  'docker-compose': 'docker',
  'podman-compose': 'docker',
  oc: 'kubectl',
  pnpx: 'pnpm',
  'apt-get': 'apt',
  aptitude: 'apt',
  pip3: 'pip',
  tofu: 'terraform',
  terragrunt: 'terraform',
  flyctl: 'fly',
  '7za': '7z',
  '7zz': '7z',
  '7zr': '7z',
  '7zzs': '7z',
  gmake: 'make',
  bmake: 'make',
  hub: 'git',
  valkey: 'redis-cli',
  'valkey-cli': 'redis-cli',
};

const valuedOf = new Map<string, ReadonlySet<string>>(
  Object.entries(valuedOptions).map(([program, options]) => [program, new Set(options.split(' '))]),
);

/** Names of GNU tools where the system has its own. */
const gnuNames =
  /^g(awk|chmod|chown|cp|cut|date|dd|env|find|grep|head|install|ln|ls|mkdir|mv|nice|patch|realpath|rm|rmdir|sed|shred|sort|split|stat|tail|tar|tee|timeout|touch|tr|truncate|unlink|wc|xargs)$/;

/** Returns a program's usual name: without its folder, registry, ending, and version, in lower case. */
export function usualName(given: string): string {
  const name = given
    .replace(/^.*[\\/]/s, '')
    .replace(/^(?:npm|jsr):/, '')
    .replace(/(?<=.)@[\w.^~*-]*$/, '')
    .replace(/\.(exe|com|cmd|bat|ps1)$/i, '')
    .toLowerCase();
  if (gnuNames.test(name)) return name.slice(1);
  return name.replace(/^(python|pip|ruby|perl|php|lua|node|gcc|clang)-?\d[\d.]*$/, '$1');
}

/** Separates what cmd accepts without spaces, such as `rd/s/q`. */
export function separatedWords(words: readonly string[]): readonly string[] {
  const [first = '', ...others] = words;
  const joined = /^(rd|rmdir|del|erase|cmd|cmd\.exe|format|robocopy|echo|copy|move|xcopy|start)(\/[\w/:+-]*)$/i.exec(
    first,
  );
  const args = others.flatMap((word) =>
    /^(\/[a-z?]){2,}$/i.test(word) && isCmd(first) ? splitSwitches(word) : [word],
  );
  if (!joined) return [first, ...args];
  const [, program = '', switches = ''] = joined;
  return [program, ...splitSwitches(switches), ...args];
}

function isCmd(given: string): boolean {
  return /^(rd|rmdir|del|erase|cmd|format)$/.test(usualName(given).replace(/\/.*$/s, ''));
}

function splitSwitches(text: string): readonly string[] {
  return text.split(/(?=\/)/).filter((part) => part !== '');
}

/** Reads words as their program does. The words are as the program receives them. */
export function readWords(given: readonly string[]): Reading {
  const words = separatedWords(given);
  let [program, args] = [usualName(words[0] ?? ''), words.slice(1)];
  // Git runs `git-push` for `git push`.
  const own = /^git-([a-z][a-z-]*)$/.exec(program);
  if (own && !/^git-(lfs|flow|absorb|town|crypt|secret|cliff|delta|filter-repo)$/.test(program)) {
    args = [own[1] ?? '', ...args];
    program = 'git';
  } else if (own) {
    args = [program.slice(4), ...args];
    program = 'git';
  }
  if (/^(docker|podman)-compose$/.test(program)) args = ['compose', ...args];
  program = sameAs[program] ?? program;
  const valued = valuedOf.get(program) ?? new Set<string>();
  const before: string[] = [];
  const options: string[] = [];
  const plain: string[] = [];
  let [unsure, start, isPlain] = [0, -1, false];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const next = args[at + 1];
    if (word === '--' && !isPlain) {
      isPlain = true;
      options.push(word);
      if (start < 0) before.push(word);
    } else if (isPlain || !isOption(word)) {
      if (start < 0) start = at;
      plain.push(word);
    } else {
      options.push(word);
      if (start < 0) before.push(word);
      if (next === undefined || isOption(next)) continue;
      // After the verb, git's letters mean something else.
      if (valued.has(word) && (start < 0 || program !== 'git')) {
        at += 1;
        if (start < 0) before.push(next);
      } else if (start < 0 && !word.includes('=')) unsure += 1;
    }
  }
  return {
    given: words[0] ?? '',
    program,
    before,
    args,
    rest: start < 0 ? [] : args.slice(start),
    plain,
    options,
    unsure,
  };
}

function isOption(word: string): boolean {
  return word.startsWith('-') && word !== '-';
}

/** Verbs that do the same as another command, for rules that reject or ask. */
const equivalents: readonly (readonly [RegExp, string])[] = [
  [/^git (subtree|lfs) push\b/, 'git push'],
  [/^git (send-pack|http-push)\b/, 'git push'],
  [/^git (svn dcommit|p4 submit)\b/, 'git push'],
  [/^jj git push\b/, 'git push'],
  [/^git subtree pull\b/, 'git pull'],
  [/^git (remote update|fetch-pack)\b/, 'git fetch'],
  [/^(npm|pnpm|yarn) (i|add|in|ins|inst|insta|instal|isnt|isnta|isntal)\b/, '$1 install'],
  [/^npm (r|rm|un|unlink|remove)\b/, 'npm uninstall'],
  [/^npm (t|tst)\b/, 'npm test'],
  [/^npm (rum|urn|run-script)\b/, 'npm run'],
  [/^npm x\b/, 'npm exec'],
  [/^yarn npm publish\b/, 'yarn publish'],
  [/^docker (container|image) (rm|stop|kill|start|run|exec)\b/, 'docker $2'],
  [/^cargo (b|c|d|t|r|rm)\b/, 'cargo $1'],
];

/** All commands of git: another one is an alias of the user, or a program named `git-NAME`. */
export const gitVerbs: ReadonlySet<string> = new Set(
  (
    'add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap ' +
    'check-ref-format checkout checkout-index cherry cherry-pick citool clean clone column commit commit-graph ' +
    'commit-tree config count-objects credential credential-cache credential-store daemon describe diagnose diff ' +
    'diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack filter-branch fmt-merge-msg ' +
    'for-each-ref for-each-repo format-patch fsck gc get-tar-commit-id grep gui hash-object help hook http-fetch ' +
    'http-push imap-send index-pack init init-db instaweb interpret-trailers lfs log ls-files ls-remote ls-tree mailinfo ' +
    'mailsplit maintenance merge merge-base merge-file merge-index merge-one-file merge-tree mergetool mktag mktree ' +
    'multi-pack-index mv name-rev notes p4 pack-objects pack-redundant pack-refs patch-id prune prune-packed pull push ' +
    'quiltimport range-diff read-tree rebase receive-pack reflog refs remote repack replace replay request-pull rerere ' +
    'reset restore rev-list rev-parse revert rm send-email send-pack sh-setup shell shortlog show show-branch ' +
    'show-index show-ref sparse-checkout stage stash status stripspace submodule subtree svn switch symbolic-ref tag ' +
    'unpack-file unpack-objects update-index update-ref update-server-info upload-archive upload-pack var ' +
    'verify-commit verify-pack verify-tag version web--browse whatchanged worktree write-tree filter-repo'
  ).split(' '),
);
const ghVerbs = new Set(
  (
    'accessibility alias api attestation auth browse cache codespace completion config co extension gist gpg-key help issue ' +
    'label org pr preview project release repo ruleset run search secret ssh-key status variable version workflow'
  ).split(' '),
);
const cargoVerbs = new Set(
  (
    'add audit b bench build c check clean clippy config d doc fetch fix fmt generate-lockfile help info init install ' +
    'locate-project login logout metadata miri new nextest owner package pkgid publish r remove report rm run rustc ' +
    'rustdoc search t test tree uninstall update vendor verify-project version yank'
  ).split(' '),
);
/** The verbs of programs for which users can define their own. */
const knownVerbs: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['git', gitVerbs],
  ['gh', ghVerbs],
  ['cargo', cargoVerbs],
]);

/** A command as rules that reject or ask see it. */
export interface SeenCommand {
  readonly program: string;
  /** The command in its usual form, without the program's own options before the verb. Several if that isn't clear. */
  readonly texts: readonly string[];
  /** Whether it may be another command than it seems, because of an alias or an option that isn't known. */
  readonly isUnsure: boolean;
}

/** Returns a command in the form that rules are written for. */
export function seenCommand(words: readonly string[]): SeenCommand {
  const reading = readWords(words);
  const { program, plain, before, unsure } = reading;
  const texts = [program + reading.rest.map((word) => ` ${word}`).join('')];
  for (const rest of withoutOptions(reading)) texts.push([program, ...rest].join(' '));
  const same = texts.flatMap((text) =>
    equivalents.flatMap(([pattern, other]) => (pattern.test(text) ? [text.replace(pattern, other)] : [])),
  );
  const verb = plain[0];
  const verbs = knownVerbs.get(program);
  const definesAlias = before.some((word) => /^(-c)?(alias\.|include)/i.test(word));
  const isOther = verbs !== undefined && verb !== undefined && !verbs.has(verb);
  return {
    program,
    texts: [...texts, ...same],
    isUnsure: definesAlias || isOther || (unsure > 0 && valuedOf.has(program)),
  };
}

/** How many words of a command can be verbs. */
const mostVerbs = 3;

/** Returns the words without the options between the first ones, and without what options may have taken. */
function withoutOptions({ rest, plain, unsure }: Reading): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  let at = 0;
  for (let count = 1; count <= Math.min(mostVerbs, plain.length); count += 1) {
    const next = rest.indexOf(plain[count - 1] ?? '', at);
    if (next < 0) break;
    at = next + 1;
    if (count > 1) found.push([...plain.slice(0, count), ...rest.slice(at)]);
  }
  for (let skipped = 1; skipped <= Math.min(unsure, mostVerbs); skipped += 1)
    found.push(plain.slice(skipped), rest.slice(skipped));
  return found;
}
