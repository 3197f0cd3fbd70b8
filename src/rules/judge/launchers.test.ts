import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placedRequest, type Asked } from '../../../test/unit-support/ruleAnswers';
import { asksAlways } from './everything';
import { suggestRules } from './suggestRule';

/*
 * Programs that run what their words say. `$` is where a command's words come, and `@` where a command line does. Whatever launches it, what
 * destroys something or writes a guarded place asks where everything is allowed, and no offer allows the launcher with another command.
 */
const launchers = `
flatpak-spawn --host $
systemd-run $
systemd-run --user --scope -p X=1 $
run0 $
firejail --noprofile $
bwrap --bind / / --chdir /x $
bwrap --ro-bind /usr /usr sh -c @
unshare --map-root-user --mount $
nsenter -t 1 -m $
setpriv --reuid 1000 --clear-groups $
capsh --drop=all -- -c @
chrt -f 1 $
ionice -c 3 $
taskset -c 0,1 $
stdbuf -oL $
script -qec @ out
script -q /dev/null $
watch -n1 @
parallel -j 4 @ ::: a
ls | entr $
ls | entr -s @
ls | entr -rs @
ssh -p 22 host @
doas -u root $
runuser -u user -- $
su - root -c @
busybox sh -c @
busybox $
uv run -- $
pipx run $
npx -c @
npm explore x -- $
pnpm dlx $
pnpm --filter x exec $
yarn dlx $
yarn workspace x exec $
yarn workspaces foreach -A exec $
lerna exec -- @
bunx $
make SHELL=@ all
make CC=@
make --eval @ x
env -S @
env -i $
find . -exec $ ';'
ls | xargs $
git -c core.pager=@ log
tar --to-command=@ -xf a.tar
rsync -e @ a host:b
split -l 1 --filter @ a
zip -TT @ -T x.zip a
cmake -E env $
cmake -E time $
cmake -E chdir sub $
meson devenv $
bazel run --run_under=@ //:x
cargo watch -- $
cargo watch -s @
pueue add @
pm2 start @
pee @
complete -C @ x
srt $
perl -e 'system("$")'
awk 'BEGIN{system("$")}'
less '+!$' a
choom -n 5 -- $
ip netns exec x $
`
  .split('\n')
  .filter(Boolean);

const withCommand = (launcher: string, command: string) =>
  launcher.replace('$', () => command).replace('@', () => `'${command}'`);
const run = (command: string): Asked => ({ entry: { toolKind: 'execute', title: 'Run it', rawInput: { command } } });
const asks = (command: string) => asksAlways(placedRequest(run(command)), 'everything');

test('a launcher of a command that destroys or writes guarded places asks', () => {
  const lines = launchers.flatMap((launcher) =>
    ['rm -rf src', 'cp x .git/hooks/pre-commit'].map((command) => withCommand(launcher, command)),
  );
  // The program is in one word, and its own words in others.
  for (const [program, words] of [
    ['rm', '-rf src'],
    ['sh', "-c 'rm -rf src'"],
    ['cp', 'x .git/hooks/pre-commit'],
  ]) {
    lines.push(
      `flatpak run --command=${program} org.app ${words}`,
      `flatpak run --command ${program} org.app ${words}`,
      `docker run --rm --entrypoint ${program} img ${words}`,
      `docker run --rm --entrypoint=${program} img ${words}`,
      `docker compose run --entrypoint ${program} web ${words}`,
    );
  }
  lines.push('cmake -E rm -rf src', 'cmake -E remove_directory src', "LESSOPEN='|rm -rf src' less x");
  lines.push("mysql -e 'system rm -rf src'");
  assert.deepEqual(
    lines.filter((line) => !asks(line)),
    [],
  );
});

test('daily commands of launchers run where everything is allowed', () => {
  const lines = `
flatpak run org.gimp.GIMP a.png
docker run --rm -v .:/x img npm test
docker run --entrypoint bash img -c 'npm test'
make PREFIX=/usr CC=gcc all
make -j4 CFLAGS="-O2 -g"
make VERSION=1.2.3 test
cmake -B build -S .
cmake -E copy a b
split -l 1 a
zip -r x.zip a
pm2 start app.js
cargo watch -x test
yarn workspace web build
yarn workspaces foreach -A run build
npm explore x -- npm test
less +F a
mysql -e 'select * from system'`
    .split('\n')
    .filter(Boolean);
  assert.deepEqual(lines.filter(asks), []);
});

test('an offer for a launcher allows it with no other command', () => {
  const others = [...launchers, 'flatpak run --command=$ app', 'docker run --entrypoint $ img'];
  const wide = others.flatMap((launcher) => {
    const line = withCommand(launcher, 'ls');
    const offered = (suggestRules(placedRequest(run(line)), 'allow_once') ?? []).map(({ command = '' }) => command);
    // A launcher that changes nothing about its command offers what the command does.
    return offered.filter((command) => command !== line && command !== 'ls *').map((command) => `${line}: ${command}`);
  });
  assert.deepEqual(wide, []);
});
