import type { RiskKind } from '../../shared/transcript/transcript';
import { isInTable, optionsIn, type Danger } from './dangers';
import { codeIn, isHarmlessCode } from './inlineCode';
import type { Reading } from '../line/programs';

/* Dangers that need more than a table of words, and what may be one. */

/** What is known of a command besides its words. */
export interface Circumstances {
  /** Whether a word stands for several files, or for something that isn't known. */
  readonly hasGlob: boolean;
  /** The text on its standard input, if known. */
  readonly input: string;
  /** Whether it runs for each of many files. */
  readonly isForMany: boolean;
  /** Whether the commands that it runs are known, and judged by themselves. */
  readonly hasInner: boolean;
}

type Add = (kind: RiskKind, marks: readonly string[]) => void;

/** With more operands, a deletion counts as one of many files. */
const fewFiles = 3;

export function otherDangers(reading: Reading, circumstances: Circumstances): readonly Danger[] {
  const found: Danger[] = [];
  const add: Add = (kind, marks) =>
    found.push({ kind, marks: [reading.given, ...marks.filter((mark) => mark !== '')] });
  if (Object.hasOwn(special, reading.program)) special[reading.program]?.(reading, add, circumstances);
  if (/^mkfs\.\w+$/.test(reading.program)) add('disk', []);
  if (circumstances.isForMany && changesFiles.test(reading.program)) add('deletes', []);
  if (isSqlProgram(reading.program)) sqlDangers(reading, add, circumstances.input);
  const code = codeIn(reading);
  if (code && !isHarmlessCode(code.code)) add('mayDestroy', [code.option]);
  // What a launcher runs is judged by itself.
  if (found.length === 0 && !circumstances.hasInner) guess(reading, add);
  return found;
}

/** Programs that destroy something if they run for many files. */
const changesFiles = /^(rm|unlink|rmdir|mv|shred|truncate|trash|del|erase|tee|dd|cp|ln)$/;

const special: Readonly<Record<string, (reading: Reading, add: Add, circumstances: Circumstances) => void>> = {
  rm: removal,
  git: ({ plain, args }, add, { hasGlob }) => {
    if (plain[0] === 'rm' && hasGlob && !args.includes('--cached')) add('deletes', ['rm']);
  },
  unlink: removal,
  find: (reading, add) => {
    const marks = reading.args.filter((word) => /^-(delete|fprint|fprint0|fprintf|fls)$/.test(word));
    if (marks.length > 0) add('deletes', marks);
    const ran = reading.args.flatMap((word, index) =>
      /^-(exec|execdir|ok|okdir)$/.test(word) ? [reading.args[index + 1] ?? ''] : [],
    );
    if (ran.some((word) => /^(\S*\/)?(rm|unlink|rmdir|mv|shred|truncate|trash)$/.test(word))) add('deletes', ['-exec']);
  },
  xargs: (reading, add, { hasInner }) => {
    if (!hasInner && reading.plain.some((word) => /^(\S*\/)?(rm|unlink|rmdir|shred|truncate)$/.test(word)))
      add('deletes', ['rm']);
  },
  mv: ({ plain }, add) => {
    const target = plain.at(-1) ?? '';
    if (plain.length > 1 && /^(\/dev\/|\/tmp(\/|$)|\/var\/tmp)/.test(target)) add('deletes', []);
  },
  cp: ({ plain }, add) => {
    if (/^\/dev\/(?!null$)/.test(plain.at(-1) ?? '')) add('disk', []);
  },
  tee: ({ plain, options }, add) => {
    if (plain.some((word) => /^\/dev\/(sd|hd|nvme|disk|vd|mmcblk|mapper)/.test(word))) add('disk', []);
    else if (plain.some((word) => !word.startsWith('/dev/') && /^(\/etc|\/boot|\/usr)\//.test(word)))
      add('mayDestroy', options);
  },
  curl: ({ args }, add) => {
    const method = methodIn(args, ['-X', '--request']);
    if (/^(DELETE|PURGE)$/i.test(method ?? '')) add('infrastructure', ['-X']);
  },
  wget: ({ args, options }, add) => {
    if (/^DELETE$/i.test(methodIn(args, ['--method']) ?? '')) add('infrastructure', ['--method']);
    if (options.includes('--delete-after')) add('deletes', ['--delete-after']);
  },
  http: httpie,
  https: httpie,
  xh: httpie,
  gh: (reading, add) => {
    if (reading.plain[0] !== 'api') return;
    const method = methodIn(reading.args, ['-X', '--method']);
    const sends = optionsIn(['-f', '-F', '--field', '--raw-field', '--input'], reading.args).length > 0;
    const isQuery = reading.plain[1] === 'graphql' && !/\bmutation\b/.test(reading.args.join(' '));
    if (method === undefined ? sends && !isQuery : !/^GET$/i.test(method))
      add('infrastructure', ['api', ...(method === undefined ? [] : ['-X'])]);
  },
  glab: (reading, add) => {
    const method = methodIn(reading.args, ['-X', '--method']);
    if (reading.plain[0] === 'api' && method !== undefined && !/^GET$/i.test(method))
      add('infrastructure', ['api', '-X']);
  },
  awk: (_reading, add) => awk(_reading, add),
  gawk: (_reading, add) => awk(_reading, add),
  mawk: (_reading, add) => awk(_reading, add),
  nawk: (_reading, add) => awk(_reading, add),
  less: pager,
  more: pager,
  most: pager,
  go: ({ args }, add) => {
    const linker = args.find((word) => /-extld\b/.test(word));
    if (linker !== undefined) add('runsPrograms', [linker]);
  },
  chmod: ({ plain }, add) => {
    if (plain.some((word) => /^\/(etc|usr|bin|var|lib|home|root)?(\/|$)/.test(word))) add('permissions', []);
  },
  cmd: windowsShell,
  powershell: windowsShell,
  pwsh: windowsShell,
  crontab: ({ plain }, add) => {
    if (plain.length > 0) add('configures', []);
  },
  husky: ({ args, plain }, add) => {
    if (plain.length === 0 && !args.some((word) => /^(-v|-h|--version|--help)$/.test(word))) add('configures', []);
  },
  npm: packageFields,
  pnpm: packageFields,
  yarn: packageFields,
  bun: packageFields,
  nx: ({ args }, add) => {
    if (args.some((word) => /\bci-workflow\b/.test(word))) add('configures', ['ci-workflow']);
  },
  'ssh-keygen': ({ args }, add) => {
    // Without a file, it writes to the user's own keys.
    if (!args.some((word) => /^-[a-zA-Z]*[fFlLyBeQYrHM]/.test(word))) add('configures', []);
  },
  docker: ({ args, plain }, add) => {
    if (!/^(run|create)$/.test(plain[0] ?? '')) return;
    const isHost = args.some(
      (word) =>
        /^(\/|\/etc|\/root|\/home|\/var\/run\/docker\.sock|~)(:|$)/.test(word.replace(/^(-v|--volume=)/, '')) &&
        word.includes(':'),
    );
    if (isHost || args.includes('--privileged')) add('mayDestroy', ['run']);
  },
  mysqladmin: ({ plain }, add) => {
    if (plain.some((word) => /^(drop|shutdown|kill|flush-\w+)$/.test(word))) add('database', []);
  },
};

function removal({ options, plain, args }: Reading, add: Add, { hasGlob, isForMany }: Circumstances): void {
  const recursive = [...optionsIn(['-r', '-R', '--recursive'], args)];
  if (recursive.length > 0) add('deletes', [...new Set([...recursive, ...optionsIn(['-f', '--force'], options)])]);
  else if (isForMany || hasGlob || plain.length > fewFiles || plain.some((word) => /[*?]/.test(word)))
    add('deletes', optionsIn(['-f', '--force'], options));
}

/** Fields of a package that only describe it. Others can name programs that run later. */
const describingFields =
  /^(version|description|keywords|author|contributors|license|homepage|repository|bugs|name|private|funding|engines|files|sideEffects|type)\b/;

function packageFields({ plain, program }: Reading, add: Add): void {
  const [verb, change = '', ...fields] = program === 'bun' && plain[0] === 'pm' ? plain.slice(1) : plain;
  if (verb === 'pkg' && /^(set|delete)$/.test(change) && !fields.every((field) => describingFields.test(field)))
    add('configures', [verb, change]);
}

function httpie({ plain }: Reading, add: Add): void {
  if (plain[0] === 'DELETE') add('infrastructure', ['DELETE']);
}

/** Returns the method of a request over HTTP, attached to its option or after it. */
function methodIn(args: readonly string[], names: readonly string[]): string | undefined {
  for (const [index, word] of args.entries()) {
    for (const name of names) {
      if (word === name) return args[index + 1] ?? '';
      if (word.startsWith(`${name}=`)) return word.slice(name.length + 1);
      const isShort = /^-[A-Z]$/.test(name);
      if (isShort && !word.startsWith('--') && word.startsWith('-') && word.includes(name.slice(1))) {
        const after = word.slice(word.indexOf(name.slice(1)) + 1);
        return after === '' ? (args[index + 1] ?? '') : after.replace(/^=/, '');
      }
      if (!isShort && word.startsWith('--') && word.length > 4 && name.startsWith(word)) return args[index + 1] ?? '';
    }
  }
  return undefined;
}

function awk({ args }: Reading, add: Add): void {
  const program = args.join('\n');
  if (/\bsystem\s*\(|\|\s*getline|getline\s*<|\|&|print[^;}]*(>|\|)\s*["'\w]|-i\s*inplace|\binplace\b/.test(program))
    add('mayDestroy', []);
}

/** Its own commands can start a program. */
function pager({ args }: Reading, add: Add): void {
  if (args.some((word) => /^\+.*[!|]/.test(word))) add('mayDestroy', []);
}

/** A shell of Windows whose line isn't parsed. */
function windowsShell({ args }: Reading, add: Add): void {
  if (args.some((word) => /^(\/c|\/k|-c|-command|-e|-ec|-en[a-z]*)$/i.test(word))) add('mayDestroy', []);
}

const databases =
  /^(psql|pgcli|mysql|mariadb|mycli|sqlite3|sqlite|litecli|sqlcmd|mssql-cli|mongo|mongosh|redis-cli|clickhouse|clickhouse-client|cockroach|bq|duckdb|cqlsh|snowsql|turso|wrangler|usql|isql|sqlplus|trino|presto|beeline|hive|impala-shell|influx|neo4j|cypher-shell|supabase|prisma|d1|planetscale|pscale)$/;
const destroysData =
  /\b(drop\s+(table|database|schema|keyspace|view|index|user|role|column|sequence|function|trigger|type|extension|constraint|collection|owned|materialized)|truncate(\s+table)?\s+\w|delete\s+from\s+\S+|alter\s+(table|database|user|role|schema)|update\s+\S+\s+set\b|detach\s+delete|match\b.*\bdelete\b|dropDatabase|dropIndexes?|deleteMany|deleteOne|flush(all|db)|grant\s+\w|revoke\s+\w|copy\s+.*\bprogram\b|pg_terminate_backend|vacuum\s+full|replace\s+into|insert\s+overwrite|shutdown)\b|\b(drop|remove)\s*\(|\.(shell|system|restore|import|output|once)\b|\\!|\\o\b|\\copy\b|(?:^|[;\n]|-e|=)\s*system\s+\S/is;

export function isSqlProgram(program: string): boolean {
  return databases.test(program);
}

function sqlDangers({ args }: Reading, add: Add, input: string): void {
  // The statement may be right behind its option.
  const found = destroysData.exec([...args, ...args.map((word) => word.replace(/^-[a-z]/i, '')), input].join(' '))?.[0];
  if (found !== undefined) add('database', [found.trim().split(/[\s(]+/)[0] ?? '']);
}

/** Programs whose words are names, texts, or files, and that change nothing but what their options and the table say. */
const harmless =
  /^(ls|dir|cat|bat|head|tail|wc|grep|egrep|fgrep|rg|ag|ack|echo|printf|diff|cmp|comm|sort|uniq|cut|tr|column|nl|fold|fmt|paste|join|jq|yq|xq|fx|gron|which|whereis|type|whoami|who|id|hostname|uname|date|cal|pwd|cd|tree|file|stat|du|df|ps|top|free|uptime|env|printenv|test|\[|true|false|:|sleep|wait|seq|yes|basename|dirname|realpath|readlink|less|more|man|tldr|info|touch|mkdir|md5sum|sha1sum|sha256sum|shasum|cksum|b2sum|base64|xxd|od|hexdump|strings|nm|objdump|readelf|ldd|jest|vitest|mocha|ava|tap|pytest|tox|nox|unittest|rspec|phpunit|playwright|cypress|karma|jasmine|tsc|eslint|oxlint|stylelint|prettier|biome|rome|ruff|black|isort|flake8|pylint|mypy|pyright|rubocop|gofmt|goimports|golangci-lint|staticcheck|shellcheck|shfmt|hadolint|markdownlint|yamllint|webpack|vite|rollup|esbuild|parcel|tsup|swc|babel|next|nuxt|astro|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|rustc|javac|kotlinc|cmake|ctest|meson|ninja|tsd|nyc|c8|coverage|ping|dig|nslookup|host|traceroute|netstat|ss|lsof|ifconfig|curl|wget|history|alias|export|set|exit|return|break|continue|cp|mv|ln|rm|find|fd|fdfind|sed|awk|tar|zip|unzip|gzip|gunzip|git|kill|jobs|fg|bg|nproc|lscpu|locale|tput|stty|clear|reset|expr|bc|dc|factor|mktemp|tee|xargs|patch|node|python|ruby|perl|php|java|lua|deno|bash|sh|zsh|dash|fish|source|\.|make|rustfmt|clippy|psql|mysql|sqlite3|dd|rmdir|open|code)$/;

/** Verbs that are words of their own, of programs that aren't known. */
const verb =
  /^(delete|delete-all|deleteall|del|destroy|destroy-all|drop|drop-all|purge|prune|reset|hard-reset|wipe|erase|nuke|truncate|terminate|uninstall|remove|rm|rmdir|rimraf|unlink|flush|flushall|overwrite|obliterate|revoke|teardown|tear-down|undeploy|rollback|decommission|shred|discard|force-push|forcepush|factory-reset|self-destruct|cleanup|gc|vacuum|evict|detach|deprovision|deregister|disable|shutdown|poweroff)$/i;
/** Verbs within a name, such as `db:drop` or `terminate-instances`. */
const within =
  /(^|[-_:.])(delete|destroy|drop|purge|wipe|erase|nuke|terminate|truncate|teardown|obliterate|undeploy)([-_:.]|$)|[-_:.](reset|prune|remove|rm|rollback|flush|clear|revoke|uninstall)$|^(delete|destroy|drop|purge|wipe|terminate|revoke|deregister|disable)[A-Z]/;
const option =
  /^--?(delete|deleteall|delete-all|destroy|purge|prune|remove|remove-all|wipe|erase|reset|drop|truncate|hard|nuke|overwrite|force|force-[\w-]+|no-preserve-root|no-backup|accept-data-loss|clean-all|clobber|auto-approve|obliterate|rm|del)$/i;
/** Of these, only the verb and what comes right after it is looked at: the rest are names and words for scripts. */
const packageManagers =
  /^(npm|pnpm|yarn|bun|composer|poetry|uv|pdm|cargo|go|dotnet|mvn|gradle|gradlew|mix|bundle|nx|turbo|lerna|rails|rake|just|task|flutter|dart|swift|xcodebuild|pod|brew|deno|gem|pip)$/;
const packageVerbs =
  /^(uninstall|remove|rm|un|unlink|prune|dedupe|clean|clear|reset|rollback|gc|flush|vacuum|disable)$/;
const mostGuessed = 4;

/** Returns whether a program's words are names, texts, or files, and no commands that may be unknown. */
export function isHarmlessProgram(program: string): boolean {
  return harmless.test(program);
}

/** Returns whether a program's words may be names of packages and scripts. */
export function isPackageManager(program: string): boolean {
  return packageManagers.test(program);
}

/** Guesses by the names of verbs and options whether a program that isn't known may destroy something. */
function guess({ program, plain, options, args }: Reading, add: Add): void {
  // With `-v`, it only looks a name up.
  if (harmless.test(program) || (program === 'command' && /^-[vV]$/.test(args[0] ?? ''))) return;
  const isManager = packageManagers.test(program);
  const end = args.indexOf('--');
  const words = plain.filter((word) => end < 0 || args.indexOf(word) < end).slice(0, isManager ? 2 : mostGuessed);
  const isFile = (word: string) => /[/\\]|\.[a-z]\w{0,5}$|\s/i.test(word) && !/^\w+[:.]\w+$/.test(word);
  const word = words.find(
    (one, index) =>
      !isFile(one) &&
      !(isManager && index === 0 && packageVerbs.test(one)) &&
      !(isManager && index > 0 && !/^(run|run-script|exec|x|dlx|task)$/.test(words[0] ?? '')) &&
      (verb.test(one) || within.test(one)),
  );
  if (word !== undefined) add('mayDestroy', [word]);
  const own = options.filter((one) => option.test(one.replace(/=.*$/s, '')));
  const isKnown = isManager || isInTable(program);
  const [first] = own.filter((one) => !(isKnown && /^--?(force|rm|reset|hard|overwrite|remove|prune)$/i.test(one)));
  if (first !== undefined) add('mayDestroy', [first.replace(/=.*$/s, '')]);
}
