import { usualName } from './programs';
import type { ShellWord } from './shellWords';

/*
 * Programs that run another program, which is in their words or in a line. A rule for the launcher allows what it runs,
 * but what it runs can be destructive, or rejected by a rule. So it is read as a command, too.
 */

/** What a command may run that only a rule for the whole command allows. */
export interface Launched {
  /** The words of each command. Several if it isn't clear where the command begins. */
  readonly launched: readonly (readonly ShellWord[])[];
  /** Words that are command lines. */
  readonly lines: readonly ShellWord[];
  /** The words of the launcher that `lines` are made of. */
  readonly inLines: readonly ShellWord[];
  /** Whether it runs for each of many files. */
  readonly isForMany: boolean;
}

interface Launcher {
  /** The verb that launches. */
  readonly verbs?: readonly string[];
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /** Options whose value is a command line. */
  readonly lineOptions: ReadonlySet<string>;
  /** Options after which the words of the command follow. */
  readonly wordOptions: ReadonlySet<string>;
  /** Options whose value is the program that gets the words after the operands. */
  readonly programOptions: ReadonlySet<string>;
  /** Whether the values of words such as `SHELL=x` are command lines. */
  readonly hasLinesInVariables: boolean;
  /** Number of words before the command. */
  readonly operands: number;
  /** `line`: the words together are a line; `lines`: each word is one; `options`: only options have any. */
  readonly takes: 'words' | 'line' | 'lines' | 'options';
  readonly isForMany: boolean;
}

/**
 * A line has programs, and verbs if they launch only with one. `-x` takes a value, `-x:line` a command line, and after
 * `-x:words` come the words of the command. The value of `-x:program` is a program, whose words come after the others.
 * `+1` words come before the command. `=assigned`: the values of variables are lines. `=line`: it is a line; `=lines`: each word
 * is one; `=options`: only options have any; `=many`: it runs for many files.
 */
const table = `
  busybox|toybox|shx|shelljs
  go run -exec -p -asmflags -gcflags -ldflags -tags -mod -modfile
  dotnet tool +1
  dart pub +2
  composer global +1
  cross-env|env-cmd|dotenv|dotenvx -f --file -e --environments -r -c -p -v
  cross-env-shell =line
  dotenvx run -f --env-file -e
  watch -n --interval -q --equexit =line
  parallel|sem -j --jobs -n -N -L -I -a --arg-file --colsep --delay --timeout --joblog -S --results --retries --tmpdir =line =many
  rush -j -D =line =many
  npx|bunx|pnpx -p --package -n --node-arg -c:line --call:line -w --workspace
  npm exec|x -p --package -c:line --call:line -w --workspace --prefix
  npm explore +1
  pnpm exec|dlx --package -C --dir -F --filter -c:line --shell-mode:line
  yarn exec|dlx -p --package
  yarn workspace|workspaces --include --exclude --from -j --jobs +2
  bun x
  deno x|run -c --config --import-map -L --log-level
  corepack|ni|nr
  nlx|pkgx
  uv run --python -p --with --extra --group --project --directory --env-file -m --package --index-url --config-file --with-editable --with-requirements
  uv tool --python -p --with --from +1
  uvx --python -p --with --from --project
  pipx run --spec --python
  poetry|pipenv|rye|hatch|pdm|pixi|devbox|flox run -C --directory -P --project -e --environment
  conda|mamba|micromamba run -n --name -p --prefix --cwd
  bundle|bundler|rbenv|asdf|pyenv|nodenv|jenv|fnm|volta|chamber|infisical|teller|op|doppler|nvm exec|run -p --project -c --config --using --env
  mise|rtx exec|x -C --cd -j --jobs -c:line --command:line
  direnv exec +1
  aws-vault exec +1 -d --duration
  aws-okta|saml2aws exec +1
  sops exec-env|exec-file +1 =line
  nix-shell --run:line --command:line -p -A =options
  nix run|shell|develop -c:words --command:words =options
  guix shell
  chroot|faketime|setarch|chrt|taskset|schroot|chpst +1
  proot -r --rootfs -b --bind -m --mount -q --qemu -w --pwd --cwd -k --kernel-release -R -S
  unshare|nsenter|systemd-run|systemd-inhibit|systemd-cat|cgexec|numactl|prlimit|fakeroot|fakechroot|eatmydata|bwrap|firejail -t --target -S -G -p --property -u --unit -g --slice --what --who --why --mode
  flock -w --timeout -E -c:line --command:line +1
  script -c:line --command:line -E -I -O -T =options
  fish|tcsh|csh|rksh|mksh|rbash|yash|nu|elvish|xonsh|osh|ysh|capsh -c:line --command:line --commands:line =options
  su|runuser -c:line --command:line -s =options
  unbuffer|rlwrap|xvfb-run|dbus-run-session|dbus-launch|proxychains|proxychains4|torify|torsocks|tsocks|trickle|chronic|ifne|retry|annotate-output|stdoutisatty|firejail -n --server-num -s -d -u
  strace|ltrace|valgrind|heaptrack|catchsegv|bpftrace|uftrace|nyc|c8|kcov|scalene -o -e -p -s -S -u -E -P
  perf|rr|uftrace|gprofng|coverage|py-spy|memray stat|record|trace|bench|collect|run -e -o -p
  hyperfine -w --warmup -r --runs -m -M -p:line --prepare:line -s:line --setup:line -c:line --cleanup:line --export-json --export-markdown -L =lines
  multitime -n -r
  entr -s:line
  nodemon|supervisor|node-dev -x:line --exec:line -w --watch -e --ext -i --ignore -d --delay =options
  watchexec|reflex|fswatch-run -w --watch -e --exts -f --filter -i --ignore -s --signal -r -g -G
  onchange
  chokidar|chokidar-cli -c:line --command:line =options
  cargo watch -s:line --shell:line --:words -x -w =options
  concurrently -n --names -c --prefix-colors -k -p --prefix =lines
  npm-run-all|npm-run-all2|run-s|run-p =options
  start-server-and-test|start-test|server-test =lines
  wait-on -t --timeout -d -i
  ssh|autossh|mosh -p -i -l -o -F -J -L -R -D -b -c -e -m -O -Q -S -W -w -E -I -B +1 =line
  plink -P -i -l -pw +1 =line
  sshpass -p -f -P -e
  docker exec|run -e --env -v --volume -w --workdir -u --user -p --publish --name --network --entrypoint:program --mount --platform -m --memory --cpus --env-file -l --label -h --hostname --add-host --gpus --pull --restart --shm-size --ulimit --tmpfs --cap-add --cap-drop --device --security-opt --log-driver --log-opt --ip --pid --ipc --expose --link --detach-keys -H --host -c --context +1
  docker compose -f --file -p --project-name --profile --env-file --project-directory -e --env -u --user -w --workdir --name --entrypoint:program +2
  docker container -e --env -v --volume -w --workdir -u --user -p --publish --name +2
  kubectl|oc|microk8s exec|run|debug|rsh -n --namespace -c --container --context --image --kubeconfig --target --profile --as --cluster --user +1
  snap run -c:line =options
  toolbox|toolbx run -c --container -d -r
  vagrant ssh -c:line --command:line =options
  adb shell -s =line
  heroku run -a --app =line
  fly|flyctl ssh -C:line --command:line -a --app =options
  gcloud compute --command:line --zone --project =options
  lxc|incus exec +1
  machinectl shell +1
  wsl|call|winpty -d --distribution -u --user
  start
  cmd /c:words /k:words /r:words =options
  forfiles /c:line =options
  screen -S -t -c
  tmux new|new-session|neww|new-window|split-window|splitw|run-shell|run|send-keys|send|respawn-pane|if-shell -s -n -t -c -F -x -y =line
  zellij run|action
  xterm|rxvt|urxvt|konsole|alacritty|kitty|wezterm|foot -e:words --command:words =options
  gnome-terminal|xfce4-terminal|tilix -e:line --command:line -x:words --:words =options
  nx|turbo exec
  lerna exec =line
  git rebase -x:line --exec:line =options
  git submodule --recursive +1 =line
  git bisect +1
  git filter-branch --tree-filter:line --index-filter:line --msg-filter:line --env-filter:line --commit-filter:line --setup:line =options
  git difftool|mergetool -x:line --extcmd:line =options
  fd|fdfind -x:words --exec:words -X:words --exec-batch:words =options =many
  rg --pre:words =options
  tar|bsdtar --to-command:line -I:line --use-compress-program:line =options
  time|gtime -f --format -o --output
  ansible -a:line --args:line =options
  runas|gsudo|gosu|su-exec|setuidgid|chpst +1
  tox exec
  tsp|nq|ts -L -D -N
  pueue add -g --group -w --working-directory -d --delay -a --after -l --label -o --priority =line
  pm2 start -n --name --cwd -i --namespace =line
  pee|mispipe|bench =lines
  srt -s --settings -c:line =line
  flatpak run --command:program --branch --arch --runtime --cwd --env --filesystem --share --socket --device +1
  make|gmake|bmake --eval:line =assigned =options
  cmake -E:words =options
  cmake chdir +1
  meson devenv -C -w --workdir
  bazel|bazelisk|buck2 run --run_under:line =options
  split --filter:line =options
  zip -TT:line --unzip-command:line =options
  compgen|complete -C:line =options
  sg +1 -c:line =line
`;

const launchers = new Map<string, readonly Launcher[]>();
for (const line of table.split('\n').filter((one) => one.trim() !== '')) {
  const [programs = '', ...parts] = line.trim().split(/\s+/);
  const launcher = launcherOf(parts);
  for (const program of programs.split('|')) launchers.set(program, [...(launchers.get(program) ?? []), launcher]);
}

function launcherOf(parts: readonly string[]): Launcher {
  const withEnding = (ending: string) =>
    new Set(parts.filter((part) => part.endsWith(ending)).map((part) => part.slice(0, -ending.length)));
  const verbs = parts.find((part) => /^[a-zA-Z]/.test(part))?.split('|');
  const takes = (['line', 'lines', 'options'] as const).find((name) => parts.includes(`=${name}`)) ?? 'words';
  return {
    ...(verbs ? { verbs } : {}),
    valued: new Set(parts.filter((part) => part.startsWith('-') && !part.includes(':'))),
    lineOptions: withEnding(':line'),
    wordOptions: withEnding(':words'),
    programOptions: withEnding(':program'),
    hasLinesInVariables: parts.includes('=assigned'),
    operands: Number(parts.find((part) => part.startsWith('+')) ?? 0),
    takes,
    isForMany: parts.includes('=many'),
  };
}

/** Programs that run a program of the project if their first word is none of their verbs. */
const projectRunners = /^(yarn|pnpm|bun)$/;
const packageVerbs =
  /^(add|audit|c|cache|config|create|dedupe|dlx|exec|fetch|i|import|info|init|install|link|list|ln|login|logout|ls|npm|outdated|pack|patch|pm|prune|publish|rebuild|remove|rm|root|set|store|test|un|uninstall|unlink|up|update|upgrade|version|why|workspace|workspaces|x)$/;
/** How many words may be values of options that aren't known. */
const mostSkipped = 2;

/** Returns what a launcher runs; undefined for other programs. */
export function launchedBy(given: readonly ShellWord[]): Launched | undefined {
  const [first, ...others] = given;
  if (first?.form !== 'literal') return undefined;
  const program = usualName(first.text);
  const isCompose = /^(docker|podman)-compose$/.test(program);
  const words = isCompose ? [first, { text: 'compose', written: '', form: 'literal' as const }, ...others] : given;
  const name =
    isCompose || program === 'podman' || program === 'nerdctl' ? 'docker' : program === 'oc' ? 'kubectl' : program;
  const all = (launchers.get(name) ?? []).flatMap((launcher) => launchedWith(launcher, words) ?? []);
  const launched = all.flatMap((one) => one.launched).filter(isProgram);
  const lines = all.flatMap((one) => one.lines);
  if (launched.length + lines.length === 0) return undefined;
  return { launched, lines, inLines: all.flatMap((one) => one.inLines), isForMany: all.some((one) => one.isForMany) };
}

/** Variables before a command, and words without letters, are no programs. */
function isProgram([first]: readonly ShellWord[]): boolean {
  return first !== undefined && /[a-z]/i.test(first.text) && !first.text.startsWith('-');
}

const scriptRunners = /^(python|php|ruby|node|tsx|ts-node|perl|lua|(ba|z|da|k)?sh)$/;

/** Returns the words of the script that an interpreter runs, or of the module after `-m`, as a command. */
function scriptCommand(words: readonly string[]): readonly string[] | undefined {
  if (!scriptRunners.test(usualName(words[0] ?? ''))) return undefined;
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const isCode = at > 1 && /^-[a-z]*[cepr]$/i.test(words[at - 1] ?? '');
  if (at < 0 || isCode || words.length === at + 1) return undefined;
  return [packageOf(words[at] ?? ''), ...words.slice(at + 1)];
}

/** Returns the package that a script belongs to, whatever its file is called; otherwise the script. */
function packageOf(script: string): string {
  return /(?:^|\/)node_modules\/(?:@[^/]+\/)?(?!\.bin\/)([^/]+)\//.exec(script)?.[1] ?? script;
}

/** Returns the words after `yarn` and interpreters, which run a program or script of the project, as a command. */
export function projectCommand(words: readonly string[]): readonly string[] | undefined {
  const fromRegistry = words.findIndex((word) => /^(npm|jsr):/.test(word));
  if (usualName(words[0] ?? '') === 'deno' && fromRegistry > 0) return words.slice(fromRegistry);
  if (!projectRunners.test(usualName(words[0] ?? ''))) return scriptCommand(words);
  const at = words.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  const inner = at < 0 ? [] : words.slice(words[at] === 'run' ? at + 1 : at);
  return inner.length === 0 || packageVerbs.test(inner[0] ?? '')
    ? undefined
    : [packageOf(inner[0] ?? ''), ...inner.slice(1)];
}

function launchedWith(launcher: Launcher, words: readonly ShellWord[]): Launched | undefined {
  const { verbs, valued, lineOptions, wordOptions, programOptions, hasLinesInVariables, takes, isForMany } = launcher;
  const lines: ShellWord[] = [];
  const inLines: ShellWord[] = [];
  const launched: (readonly ShellWord[])[] = [];
  let { operands } = launcher;
  let [at, unsure, hasVerb] = [1, 0, verbs === undefined];
  let program: ShellWord | undefined;
  const addLine = (word: ShellWord, from: readonly ShellWord[]) => {
    lines.push(word);
    inLines.push(...from);
  };
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (!word) break;
    const { text } = word;
    const [option, value] = splitOption(text);
    const assigned = hasLinesInVariables ? /^\w+:{0,3}[?+!]?=(.+)$/s.exec(text)?.[1] : undefined;
    // What follows are the program's own words.
    if (program && operands === 0) break;
    if (assigned !== undefined) addLine({ ...word, text: assigned }, [word]);
    else if (programOptions.has(option)) {
      program = value === undefined ? words[at + 1] : { ...word, text: value };
      if (value === undefined) at += 1;
    } else if (wordOptions.has(text.toLowerCase()) || wordOptions.has(option)) {
      if (value !== undefined) launched.push([{ ...word, text: value }]);
      else launched.push(words.slice(at + 1));
      at = words.length;
    } else if (lineOptions.has(option) || lineOptions.has(text.toLowerCase()) || lineOptions.has(lastLetter(text))) {
      const next = words[at + 1];
      if (value !== undefined) addLine({ ...word, text: value }, [word]);
      else if (next) {
        addLine(next, [next]);
        at += 1;
      }
    } else if (text === '--' && hasVerb && operands === 0) {
      at += 1;
      break;
    } else if (text.startsWith('-') && text !== '-') {
      const next = words[at + 1];
      if (valued.has(text)) at += 1;
      else if (!text.includes('=') && next && !next.text.startsWith('-')) unsure += 1;
    } else if (!hasVerb) {
      if (
        verbs?.includes(text) !== true &&
        (unsure === 0 || words.slice(at + 1, at + 3).every((one) => verbs?.includes(one.text) !== true))
      )
        return undefined;
      hasVerb = verbs?.includes(text) === true;
    } else if (takes === 'options') continue;
    else if (operands > 0) operands -= 1;
    else if (/^[A-Za-z_]\w*=/.test(text)) continue;
    else break;
  }
  const rest = words.slice(at).filter(({ text }) => !/^[|;&]$/.test(text));
  if (hasVerb && program) launched.push([program, ...rest]);
  if (hasVerb && rest.length > 0 && takes !== 'options') {
    const end = rest.findIndex(({ text }) => /^:::?:?\+?$/.test(text));
    const own = end < 0 ? rest : rest.slice(0, end);
    if (takes === 'words') {
      // An option that isn't known may have taken the first word.
      for (let skipped = 0; skipped <= Math.min(unsure, mostSkipped, own.length - 1); skipped += 1)
        launched.push(own.slice(skipped));
    } else if (takes === 'line') addLine(joined(own), own);
    else for (const word of own) addLine(word, [word]);
  }
  return { launched, lines, inLines, isForMany };
}

/** Returns the last of several options in a word, such as `-c` of `-qc`. */
function lastLetter(text: string): string {
  return /^-[a-zA-Z]{2,}$/.test(text) ? `-${text.at(-1) ?? ''}` : '';
}

function splitOption(text: string): readonly [string, string | undefined] {
  const parts = /^(--[^=]+)=(.*)$/s.exec(text);
  return parts ? [parts[1] ?? '', parts[2] ?? ''] : [text, undefined];
}

/** Returns words as the line that a shell gets. */
function joined(words: readonly ShellWord[]): ShellWord {
  const text = words.map((word) => word.text).join(' ');
  const written = words.map((word) => word.written).join(' ');
  return { text, written, form: words.every(({ form }) => form === 'literal') ? 'literal' : 'dynamic' };
}
