import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { parsePresets } from './preset';
import { withDefaultPreset, withoutPreset, withPreset, withRenamedPreset } from './presetList';

const parse = (user: unknown, workspace?: unknown) => parsePresets({ user, workspace });
const names = (user: unknown, workspace?: unknown) =>
  parse(user, workspace).presets.map(({ name, isDefault, isOfWorkspace }) => [name, isDefault, isOfWorkspace]);

suite('presets of the settings', () => {
  test('are read with what other versions add ignored', () => {
    const options = { effort: 'high', fast: true };
    const preset = { name: ' Fixes ', agent: ' Claude ', model: 'haiku', mode: 'plan', options, default: true };
    assert.deepEqual(
      parse([
        { ...preset, sandbox: 'files', worktree: true },
        { name: 'Other', agent: 'codex' },
      ]),
      {
        presets: [
          {
            name: 'Fixes',
            agent: 'Claude',
            model: 'haiku',
            mode: 'plan',
            options,
            usesWorktree: true,
            sandbox: 'files',
            isDefault: true,
            isOfWorkspace: false,
          },
          { name: 'Other', agent: 'codex', options: {}, isDefault: false, isOfWorkspace: false },
        ],
        problems: [],
      },
    );
  });

  test('of a workspace come after the user’s and never replace them', () => {
    const own = [{ name: 'Fixes', agent: 'Claude' }];
    const theirs = [
      { name: 'Fixes', agent: 'Evil', default: true },
      { name: 'Docs', agent: 'Codex', default: true },
    ];
    assert.deepEqual(names(own, theirs), [
      ['Fixes', false, false],
      ['Docs', true, true],
    ]);
    const withDefault = [{ name: 'Mine', agent: 'Claude', default: true }];
    assert.deepEqual(names(withDefault, theirs).at(0), ['Mine', true, false]);
    assert.equal(parse(withDefault, theirs).presets.filter(({ isDefault }) => isDefault).length, 1);
  });

  test('that are invalid are skipped with a reason', () => {
    const wrong = [
      7,
      {},
      { name: 'A' },
      { name: 'B', agent: 'x', model: 1 },
      { name: 'C', agent: 'x', mode: true },
      { name: 'D', agent: 'x', options: { effort: 3 } },
      { name: 'E', agent: 'x', sandbox: 'file' },
      { name: 'E', agent: 'x', options: [] },
    ];
    const { presets, problems } = parse([...wrong, { name: 'Good', agent: 'x' }, { name: 'Good', agent: 'y' }], {});
    assert.deepEqual(
      presets.map(({ agent }) => agent),
      ['x'],
    );
    assert.equal(problems.length, wrong.length + 2);
    assert.match(
      problems.join('\n'),
      /Skipped preset 1 .*an object[^]*“A” .*“agent”[^]*“Good” .*another one has this name/,
    );
    assert.match(problems.at(-1)!, /must be a list/);
  });
});

suite('changes of the user’s presets', () => {
  const written = [
    { name: 'A', agent: 'x', model: 'old', mode: 'plan', sandbox: 'files', default: true },
    'what the user typed',
    { name: 'B', agent: 'y' },
  ];

  test('add one, or replace its choices and keep its other keys', () => {
    const added = withPreset(written, { name: 'C', agent: 'z', mode: 'ask', options: {} });
    assert.deepEqual(added, [...written, { name: 'C', agent: 'z', mode: 'ask' }]);
    const replaced = withPreset(written, { name: 'A', agent: 'z', options: { fast: true } });
    const [, ...rest] = written;
    assert.deepEqual(replaced, [
      { name: 'A', agent: 'z', options: { fast: true }, sandbox: 'files', default: true },
      ...rest,
    ]);
    assert.deepEqual(withPreset(undefined, { name: 'C', agent: 'z', options: {} }), [{ name: 'C', agent: 'z' }]);
  });

  test('rename, remove, and make one the only default', () => {
    assert.deepEqual(withRenamedPreset(written, 'B', 'D')?.at(2), { name: 'D', agent: 'y' });
    assert.deepEqual(withoutPreset(written, 'A'), written.slice(1));
    const first = { name: 'A', agent: 'x', model: 'old', mode: 'plan', sandbox: 'files' };
    assert.deepEqual(withDefaultPreset(written, 'B'), [first, written[1], { name: 'B', agent: 'y', default: true }]);
    assert.deepEqual(withDefaultPreset(written, undefined), [first, ...written.slice(1)]);
  });

  test('replace nothing that isn’t a list', () => {
    for (const value of [{ A: { agent: 'x' } }, 'text', 7]) {
      assert.equal(withPreset(value, { name: 'C', agent: 'z', options: {} }), undefined);
      assert.equal(withoutPreset(value, 'A'), undefined);
      assert.equal(withRenamedPreset(value, 'A', 'B'), undefined);
      assert.equal(withDefaultPreset(value, 'A'), undefined);
    }
  });
});
