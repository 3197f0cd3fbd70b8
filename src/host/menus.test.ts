import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { alternativesOf, holds, type Context } from '../../test/unit-support/whenClause';

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

/** A window that has just been opened in a trusted folder: it has no session, changes, or editor. */
const fresh: Context = { isWorkspaceTrusted: true, workspaceFolderCount: 1, workbenchState: 'folder' };

/** Returns the ids of the commands that the palette lists. */
function paletteOf(context: Context): readonly string[] {
  const palette = new Map(contributes.menus['commandPalette']?.map(({ command, when = '' }) => [command, when]));
  return contributes.commands.flatMap(({ command, enablement = '' }) =>
    holds(palette.get(command) ?? '', context) && holds(enablement, context) ? [command] : [],
  );
}

test('the palette of a fresh window has at most 50 commands', () => {
  const shown = paletteOf(fresh);
  assert.ok(shown.length <= 50, `${shown.length} commands`);
  assert.ok(shown.includes('parley.openChat') && shown.includes('parley.newSession'));
  // What can't be used isn't listed: its condition is that of the command.
  const palette = new Map(contributes.menus['commandPalette']?.map(({ command, when = '' }) => [command, when]));
  for (const { command, enablement } of contributes.commands)
    if (enablement !== undefined) assert.ok(palette.get(command), `${command} is always in the palette`);
});

/** What the palette lists only with some keys set, by what the keys stand for. */
const applying: readonly (readonly [string, Context, readonly string[]])[] = [
  [
    'in a worktree',
    { 'parley.hasSession': true, 'parley.isInWorktree': true },
    ['bringChanges', 'reviewWorktree', 'mergeBranch', 'discardWorktree'],
  ],
  ['in an own copy', { 'parley.isInWorktree': true, 'parley.isInCopy': true }, ['bringChanges', 'fetchBranch']],
  [
    'with a plan',
    { resource: 'plan', 'parley.openPlans': ['plan'], 'parley.changedPlans': ['plan'] },
    ['plan.approve', 'plan.approveWithChanges', 'plan.sendComments'],
  ],
  ['with goals', { 'parley.canSetGoal': true, 'parley.hasGoal': true }, ['setGoal', 'clearGoal']],
  ['with questions aside', { 'parley.canAskAside': true }, ['askAside']],
  [
    'with next edits',
    { 'parley.offersNextEdits': true, 'parley.hasNextEdit': true, editorIsOpen: true },
    ['nextEdit.accept', 'nextEdit.dismiss', 'nextEdit.suggest'],
  ],
  ['while a turn runs', { 'parley.workRunning': true }, ['cancelTurn']],
];

for (const [where, keys, names] of applying) {
  test(`the palette has these commands only ${where}`, () => {
    const shown = paletteOf({ ...fresh, ...keys });
    const before = new Set([
      ...paletteOf(fresh),
      ...paletteOf({ ...fresh, 'parley.hasSession': true, editorIsOpen: true }),
    ]);
    for (const name of names) {
      assert.ok(shown.includes(`parley.${name}`), `${name} is there`);
      assert.ok(!before.has(`parley.${name}`), `${name} isn’t there otherwise`);
    }
  });
}

test('conditions name only keys that the host sets', () => {
  const sources = readdirSync('src/host', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join('src/host', name), 'utf8'))
    .join('\n');
  const all = [
    ...menus.flatMap(([, entries]) => entries.map(({ when = '' }) => when)),
    ...contributes.keybindings.map(({ when = '' }) => when),
    ...contributes.commands.map(({ enablement = '' }) => enablement),
  ];
  const named = all.flatMap((when) => alternativesOf(when).flat());
  const keys = named.flatMap(({ key, op, value }) => [key, ...(op.endsWith('in') ? [value] : [])]);
  for (const key of new Set(keys.filter((one) => one.startsWith('parley.'))))
    assert.ok(sources.includes(`'${key}'`), `nothing sets ${key}`);
});

/** Returns what a menu has, from top to bottom: commands and submenus. */
function menuOf(id: string, context: Context): readonly string[] {
  const entries = (contributes.menus[id] ?? []).filter(({ when = '' }) => holds(when, context));
  const order = ({ group = '' }: MenuEntry) => group.replace(/@(\d)$/, '@0$1');
  return entries
    .filter(({ group = '' }) => !group.startsWith('navigation'))
    .toSorted((one, other) => order(one).localeCompare(order(other)))
    .map(({ submenu, command }) => submenu ?? command);
}

const view: Context = { ...fresh, view: 'parley.chat' };
const inWorktree: Context = {
  ...view,
  'parley.hasSession': true,
  'parley.isInWorktree': true,
  'parley.hasChanges': true,
};

test('the view’s menu has at most eight entries, three of them menus', () => {
  assert.deepEqual(menuOf('view/title', inWorktree), [
    'parley.newSession',
    'parley.showSessions',
    'parley.review.open',
    'parley.openChatInEditor',
    'parley.openPage',
    'parley.sessionMenu',
    'parley.worktreeMenu',
    'parley.helpMenu',
  ]);
  assert.deepEqual(
    menuOf('view/title', inWorktree).filter((one) => !menuOf('view/title', view).includes(one)),
    ['parley.review.open', 'parley.worktreeMenu'],
  );
  assert.equal(words['shortTitle.openPage'], 'Parley Page');
});

test('no menu of the view is empty, or offers what can’t apply', () => {
  for (const context of [view, { ...view, 'parley.hasSession': true }, inWorktree]) {
    const palette = new Set([...paletteOf(context), ...paletteOf({ ...context, 'parley.hasChanges': true })]);
    for (const menu of menuOf('view/title', context).filter((id) => contributes.menus[id] !== undefined)) {
      const entries = menuOf(menu, context);
      assert.ok(entries.length > 1, `${menu} has ${entries.length} entries`);
      for (const command of entries) assert.ok(palette.has(command), `${command} in ${menu}`);
    }
  }
});

const words = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;

/** Commands of which a tab of the page “Parley” has the same. Some are only for keys of the user's own. */
const tabs: Readonly<Record<string, string>> = {
  'parley.addAgent': 'Agents',
  'parley.login': 'Agents',
  'parley.configureProviders': 'Agents',
  'parley.configureEditorTools': 'Agents',
  'parley.managePresets': 'Presets',
  'parley.showPrompts': 'Prompts',
  'parley.newPrompt': 'Prompts',
  'parley.showSkills': 'Instructions',
  'parley.showPermissionRules': 'Rules',
  'parley.showUsage': 'Usage',
  'parley.checkSetup': 'Setup',
};

/** Where a command is, in the words of the list. */
function placesOf(command: string): string {
  const palette = contributes.menus['commandPalette']?.find((one) => one.command === command)?.when;
  const names: Readonly<Record<string, string>> = {
    'view/title': 'the view',
    'parley.sessionMenu': 'Session in the view’s menu',
    'parley.worktreeMenu': 'Worktree in the view’s menu',
    'parley.helpMenu': 'Help in the view’s menu',
  };
  const inMenus = menus.flatMap(([menu, entries]) =>
    menu !== 'commandPalette' && entries.some((one) => one.command === command) ? [names[menu] ?? `\`${menu}\``] : [],
  );
  const hasKey = contributes.keybindings.some((one) => one.command === command);
  return [
    ...(palette === 'false' ? [] : ['palette']),
    ...(hasKey ? ['key'] : []),
    ...(tabs[command] === undefined ? [] : [`the tab ${tabs[command]} of the page “Parley”`]),
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
