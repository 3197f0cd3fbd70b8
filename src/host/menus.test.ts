import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly icon?: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly keybindings: readonly MenuEntry[];
  };
}

interface MenuEntry {
  readonly command: string;
  readonly when?: string;
  readonly group?: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const commands = new Map(contributes.commands.map((one) => [one.command, one]));
const menus = Object.entries(contributes.menus);
const of = (menu: string) =>
  (contributes.menus[menu] ?? []).map(({ command, group }) => [command, group?.split('@')[0]]);

test('every menu entry is an existing command with a condition', () => {
  for (const [menu, entries] of [...menus, ['keybindings', contributes.keybindings] as const]) {
    const found = new Set<string>();
    for (const { command, when = '', group = '' } of entries) {
      assert.ok(commands.has(command), `${menu} names ${command}`);
      // A condition without a context key is always true or always false.
      if (menu !== 'commandPalette') assert.match(when, /[a-z]\w*/i, `${command} is always in ${menu}`);
      assert.ok(!/^(true|1)$/.test(when.trim()), `${command} is always in ${menu}`);
      // A command can be in several groups of a menu, each with a condition of its own.
      const entry = `${command} when ${when}`;
      assert.ok(!found.has(entry), `${entry} is twice in ${menu}`);
      found.add(entry);
      const isButton = /^(navigation|inline)/.test(group) && menu !== 'commandPalette';
      const needsIcon = isButton && !menu.startsWith('comments/comment');
      if (needsIcon) assert.ok(commands.get(command)?.icon, `${command} is a button without an icon in ${menu}`);
    }
  }
});

test('editors and notebooks offer review actions in their menus and toolbars', () => {
  const review = (names: readonly string[], group: string) => names.map((name) => [`parley.review.${name}`, group]);
  const isReview = ([command]: (string | undefined)[]) => command?.startsWith('parley.review.') === true;
  assert.deepEqual(of('editor/title').filter(isReview), [
    ...review(['previousChange', 'nextChange', 'compare'], 'navigation'),
    ...review(['keepFile', 'undoFile'], '1_parley'),
    ...review(['keepAll', 'undoAll'], 'navigation'),
    ...review(['keepChange', 'undoChange', 'keepFile', 'undoFile'], '1_parley'),
    ...review(['showInDiffs'], 'navigation'),
    ...review(['hideInDiffs'], '1_parley'),
  ]);
  const all = ['keepChange', 'undoChange', 'comment', 'compare', 'keepFile', 'undoFile'];
  assert.deepEqual(of('editor/context').filter(isReview), review(all, '1_parley_review'));
  assert.deepEqual(of('notebook/toolbar'), review(['previousChange', 'nextChange'], 'navigation/review'));
  for (const [menu, entries] of menus.filter(([name]) => /^(editor|notebook\/toolbar)/.test(name))) {
    for (const { command, when = '' } of entries.filter((entry) => isReview([entry.command]))) {
      assert.match(when, /resource in parley\.changedFiles|activeEditor == multiDiffEditor/, `${command} in ${menu}`);
    }
  }
});
