// Random command lines that rules allow run in real shells: only the allowed programs may start.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { allowingRules } from '../../src/rules/judge/allowingRules';
import { parsePermissionRules, type SourcedRule } from '../../src/rules/judge/permissionRule';
import { loadParser, requestOf } from '../unit-support/ruleRequests';
import { tempFolder } from '../unit-support/tempFolder';
import { below, pick, seeded, textOf, type Random } from './random';

const inputs = 3000;
const seed = 22;

const commands = [
  'ok',
  'ok a',
  'ok "a b"',
  "ok 'a;b'",
  'ok \\; bad',
  'ok \\\nbad',
  'ok a#b',
  'ok #bad',
  'ok >/dev/null',
  'ok > o',
  'ok 2>&1',
  'CI=1 ok',
  'echo "ok; bad"',
  "echo 'bad'",
  'echo $(ok)',
  'echo "$(ok a)"',
  'echo `ok`',
  'echo "\\"; bad; \\""',
  'o"k"',
  'o\\k',
  'true',
  '[ -f a ]',
  '[[ a == b ]]',
  '[[ a && bad ]]',
  'timeout 5 ok',
  'env ok',
  'cd .',
  '(ok)',
  '{ ok; }',
  'if ok; then ok; fi',
  'for i in a b; do ok; done',
  'case a in a) ok;; esac',
  '! ok',
  'eval "ok"',
  'cat <<E\na\nE\n',
  "cat <<'E'\n$(bad)\nE\n",
  'cat <<E; ok\nE\n',
  'cat <<E && ok\n$(ok)\nE\n',
  'echo "$(cat <<\'E\'\nbad\nE\n)"',
];
const pieces = [
  'bad',
  ' bad ',
  '$(bad)',
  '`bad`',
  '<(bad)',
  '\\`bad\\`',
  '"',
  "'",
  '\\',
  '$',
  "$'",
  '$"',
  "${x:-'}",
  '${x#"',
  '#',
  ' # ',
  '&&#\n',
  '(',
  ')',
  '{',
  '}',
  '<<E\n',
  '\nE\n',
  '\nE ',
  "<<'E'\n",
  '<<\\E\n',
  '<<<',
  '> ',
  ';;',
  'x=',
  '=(',
  '*',
  '~',
  '!',
  '[',
  ']]',
  "'a[$(bad)]'",
  '[[ x -eq ',
  '((',
  '))',
  '\\\n',
  '\t',
  'f() { ',
  'exec ',
];
const joints = [' ; ', ' && ', ' || ', ' | ', '\n', ' & ', ';', '|', '&', ' |& ', '', ' '];

function lineOf(random: Random): string {
  const joined = Array.from({ length: 1 + below(random, 4) }, () => {
    const part = random() < 0.8 ? pick(random, commands) : textOf(random, pieces, 2);
    return part + pick(random, joints);
  }).join('');
  if (random() < 0.5) return joined;
  const at = below(random, joined.length);
  return joined.slice(0, at) + pick(random, pieces) + joined.slice(at + below(random, 2));
}

test('a line that rules allow starts nothing else in a shell', { skip: process.platform === 'win32' }, async () => {
  const parser = await loadParser();
  const folder = tempFolder({ after });
  const log = join(folder, 'log');
  const [bin, cwd] = [join(folder, 'bin'), join(folder, 'work')];
  mkdirSync(bin);
  mkdirSync(cwd);
  writeFileSync(join(bin, 'ok'), '#!/bin/sh\nexit 0\n');
  writeFileSync(join(bin, 'bad'), `#!/bin/sh\necho "$0 $*" >> '${log}'\n`);
  for (const name of ['ok', 'bad']) chmodSync(join(bin, name), 0o755);
  for (const name of ['env', 'timeout', 'cat']) {
    const found = ['/bin', '/usr/bin'].map((place) => join(place, name)).find(existsSync);
    if (found) symlinkSync(found, join(bin, name));
  }
  const shells = ['/bin/sh', '/bin/bash', '/bin/dash', '/bin/zsh'].filter(existsSync);
  const { rules } = parsePermissionRules([
    { command: 'ok *', answer: 'allow_once' },
    { command: 'echo *', answer: 'allow_once' },
    { command: 'cat *', answer: 'allow_once' },
    { kind: 'edit', where: 'inside', answer: 'allow_once' },
  ]);
  const sourced = rules.map((rule, index): SourcedRule => ({ rule, scope: 'user', index }));
  let allowed = 0;
  for (let index = 0; index < inputs; index += 1) {
    const line = lineOf(seeded(seed * 7919 + index));
    const verdict = allowingRules(sourced, requestOf({ entry: { rawInput: { command: line } } }, parser));
    if (!('rules' in verdict)) continue;
    allowed += 1;
    // All shells are told at once; which one it was is asked only if one did.
    const script = shells.map((shell) => `${shell} -c "$LINE" </dev/null >/dev/null 2>&1`).join('\n');
    spawnSync('/bin/sh', ['-c', script], { cwd, env: { PATH: bin, LINE: line }, timeout: 10_000 });
    const ran = existsSync(log) ? readFileSync(log, 'utf8') : '';
    assert.equal(ran, '', `seed ${seed}, input ${index}: ${JSON.stringify(line)}`);
  }
  // The lines are no test if hardly one is allowed.
  assert.ok(allowed >= 100, `only ${allowed} lines were allowed`);
});
