import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly {
      readonly command: string;
      readonly title: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly submenus: readonly { readonly id: string; readonly label: string }[];
    readonly menus: Readonly<Record<string, readonly MenuEntry[]>>;
    readonly keybindings: readonly MenuEntry[];
  };
}

interface MenuEntry {
  readonly command: string;
  /** In place of a command. */
  readonly submenu?: string;
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
    for (const { submenu, when = '', group = '', ...entry } of entries) {
      const command = submenu ?? entry.command;
      const isKnown = submenu === undefined ? commands.has(command) : contributes.menus[submenu] !== undefined;
      assert.ok(isKnown, `${menu} names ${command}`);
      // A condition without a context key is always true or always false.
      if (menu !== 'commandPalette') assert.match(when, /[a-z]\w*/i, `${command} is always in ${menu}`);
      assert.ok(!/^(true|1)$/.test(when.trim()), `${command} is always in ${menu}`);
      // A command can be in several groups of a menu, each with a condition of its own.
      const inMenu = `${command} when ${when} ${menu === 'view/title' ? group.startsWith('navigation') : ''}`;
      assert.ok(!found.has(inMenu), `${inMenu} is twice in ${menu}`);
      found.add(inMenu);
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

/** Whether a condition holds in a window that has just been opened in a trusted folder: it has no session, changes, or editor. */
function holdsAtFirst(when: string): boolean {
  const isTrue = (key: string) => key === 'isWorkspaceTrusted' || /^!(?!isWorkspaceTrusted)\S+$/.test(key);
  return when.split('||').some((part) => part.split('&&').every((key) => isTrue(key.trim())));
}

test('the palette of a fresh window has at most 50 commands', () => {
  const palette = new Map(contributes.menus['commandPalette']?.map(({ command, when = '' }) => [command, when]));
  const shown = contributes.commands.filter(({ command }) => {
    const when = palette.get(command);
    return when === undefined || holdsAtFirst(when);
  });
  assert.ok(shown.length <= 50, `${shown.length} commands`);
  // What can't be used isn't listed: its condition is that of the command.
  for (const { command, enablement } of contributes.commands)
    if (enablement !== undefined) assert.ok(palette.get(command), `${command} is always in the palette`);
});

test('the view’s menu has eight entries, and four menus below it', () => {
  const entries = (contributes.menus['view/title'] ?? []).filter(({ group = '' }) => !group.startsWith('navigation'));
  assert.equal(entries.length, 8);
  assert.deepEqual(
    entries.flatMap(({ submenu }) => (submenu === undefined ? [] : [submenu])),
    contributes.submenus.map(({ id }) => id).toSorted((a, b) => place(entries, a).localeCompare(place(entries, b))),
  );
});

function place(entries: readonly MenuEntry[], id: string): string {
  return entries.find(({ submenu }) => submenu === id)?.group ?? '';
}

const words = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;

/** Commands for a tab of the page “Parley”, for keys of the user's own. */
const tabs = ['managePresets', 'showSkills', 'showPermissionRules', 'showUsage'].map((name) => `parley.${name}`);

/** Where a command is, in the words of the list. */
function placesOf(command: string): string {
  const palette = contributes.menus['commandPalette']?.find((one) => one.command === command)?.when;
  const names: Readonly<Record<string, string>> = {
    'view/title': 'the view',
    'parley.sessionMenu': 'Session in the view’s menu',
    'parley.worktreeMenu': 'Worktree in the view’s menu',
    'parley.setUpMenu': 'Set Up in the view’s menu',
    'parley.helpMenu': 'Help in the view’s menu',
  };
  const inMenus = menus.flatMap(([menu, entries]) =>
    menu !== 'commandPalette' && entries.some((one) => one.command === command) ? [names[menu] ?? `\`${menu}\``] : [],
  );
  const hasKey = contributes.keybindings.some((one) => one.command === command);
  return [
    ...(palette === 'false' ? [] : ['palette']),
    ...(hasKey ? ['key'] : []),
    ...(tabs.includes(command) ? ['a tab of “Manage Agents, Prompts, Rules, and Usage”'] : []),
    ...inMenus,
  ].join(', ');
}

test('the list of commands says where each of them is', () => {
  const list = readFileSync('docs/commands.md', 'utf8');
  const lines = contributes.commands.map(({ command, title }) => {
    const places = placesOf(command);
    assert.notEqual(places, '', `${command} is nowhere`);
    return `- **${words[title.replaceAll('%', '')] ?? title}** (\`${command}\`): ${places}`;
  });
  assert.deepEqual(
    list.split('\n').filter((line) => line.startsWith('- **')),
    lines,
  );
});
