import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { alternativesOf, canBothHold, type Conjunction } from '../../test/unit-support/whenClause';

interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
  readonly when: string;
}

interface Manifest {
  readonly contributes: {
    readonly keybindings: readonly Keybinding[];
    readonly configurationDefaults: Readonly<Record<string, unknown>>;
  };
}

/** A default keybinding of VS Code, with the systems that have it: w(indows), l(inux), m(acOS). */
interface Default {
  readonly systems: string;
  readonly key: string;
  readonly command: string;
  readonly when: string;
}

const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const inBrowser = readFileSync('test/fixtures/defaultKeys.tsv', 'utf8').trimEnd().split('\n').map(defaultOf);

/**
 * What the desktop build has besides, as far as it comes near Parley's keys: the fixture is made in a browser. Written by
 * hand, so it may not be complete.
 */
const onDesktop = [
  ['w', 'shift+alt+r', 'revealFileInOS', '!editorFocus'],
  ['m', 'alt+cmd+r', 'revealFileInOS', '!editorFocus'],
  ['l', 'ctrl+alt+r', 'revealFileInOS', '!editorFocus'],
  ['m', 'ctrl+cmd+f', 'workbench.action.toggleFullScreen', ''],
  ['wlm', 'alt+f4', 'workbench.action.closeWindow', ''],
].map((fields) => defaultOf(fields.join('\t')));

/** Keys that macOS itself handles before an application: full screen, lock, emoji, and look up. */
const ofMacOs = ['ctrl+cmd+f', 'ctrl+cmd+q', 'ctrl+cmd+space', 'ctrl+cmd+d'];

const defaults = [...inBrowser, ...onDesktop];

/** Two bindings that may apply at once, on purpose, with the reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The same key with the same meaning: in a file with an agent's changes, the next change is the agent's. The other
  // commands keep the key everywhere else.
  'parley.review.nextChange': [
    'chatEditor.action.navigateNext',
    'multiDiffEditor.goToNextChange',
    'workbench.action.compareEditor.nextChange',
    'workbench.action.editor.nextChange',
  ],
  'parley.review.previousChange': [
    'chatEditor.action.navigatePrevious',
    'multiDiffEditor.goToPreviousChange',
    'workbench.action.compareEditor.previousChange',
    'workbench.action.editor.previousChange',
  ],
};

function defaultOf(line: string): Default {
  const [systems = '', key = '', command = '', when = ''] = line.split('\t');
  return { systems, key, command, when };
}

/** A key with its modifiers in one order, a chord as its presses. */
function pressesOf(key: string): readonly string[] {
  return key
    .toLowerCase()
    .split(' ')
    .map((press) => {
      const parts = press.split(/\+(?=.)/);
      return [...parts.slice(0, -1).sort(), parts.at(-1)].join('+');
    });
}

/** Whether one key is the other, or the beginning of the other. */
function isInTheWay(one: string, other: string): boolean {
  const [left, right] = [pressesOf(one), pressesOf(other)];
  return left.slice(0, right.length).join(' ') === right.slice(0, left.length).join(' ');
}

/** A list that is open is a quick input, too. */
function withQuickInput(conjunction: Conjunction): Conjunction {
  return conjunction.flatMap((one) => (one.key === 'inQuickOpen' ? [one, { ...one, key: 'inQuickInput' }] : [one]));
}

function canHoldTogether(ours: string, theirs: string): boolean {
  const right = alternativesOf(theirs).map(withQuickInput);
  return alternativesOf(ours).some((one) =>
    right.some((other) => one.every((a) => other.every((b) => canBothHold(a, b)))),
  );
}

function clashesOf({ command, key, mac, when }: Keybinding): readonly Default[] {
  return defaults.filter((other) => {
    const systems = other.systems
      .split('')
      .filter((system) => isInTheWay(system === 'm' ? (mac ?? key) : key, other.key));
    return systems.length > 0 && !exceptions[command]?.includes(other.command) && canHoldTogether(when, other.when);
  });
}

test('lists the default keybindings of all three systems', () => {
  for (const [system, key] of [
    ['w', 'ctrl+shift+p'],
    ['l', 'ctrl+shift+p'],
    ['m', 'shift+cmd+p'],
  ] as const) {
    const found = defaults.filter((one) => one.systems.includes(system));
    assert.ok(found.length > 800, `${found.length} keybindings of ${system}`);
    assert.ok(found.some((one) => one.key === key && one.command === 'workbench.action.showCommands'));
  }
});

test('no Parley key conflicts with VS Code where both can apply', () => {
  for (const binding of contributes.keybindings) {
    assert.deepEqual(clashesOf(binding), [], `${binding.command} (${binding.key}) is in the way`);
  }
});

test('detects conflicts, including chords, only where both conditions can be true', () => {
  const found = (key: string, when: string, mac = key) =>
    clashesOf({ command: 'parley.test', key, mac, when }).map(({ command }) => command);
  assert.ok(found('alt+shift+f', 'parley.hasSession').includes('editor.action.formatDocument'));
  assert.ok(found('ctrl+k', 'parley.hasSession').includes('workbench.action.openGlobalKeybindings'));
  assert.ok(found('f20', 'parley.hasSession', 'cmd+p').includes('workbench.action.quickOpen'));
  assert.ok(found('escape', 'parley.turnRunning').includes('cancelSelection'));
  assert.ok(!found('f12', '!editorHasDefinitionProvider').includes('editor.action.revealDefinition'));
});

test('makes exceptions only where there is a conflict', () => {
  for (const { command, key } of contributes.keybindings) {
    for (const other of exceptions[command] ?? []) {
      assert.ok(
        defaults.some((one) => one.command === other && isInTheWay(key, one.key)),
        `${other} has not the key of ${command}`,
      );
    }
  }
});

test('no key types a character or belongs to the system', () => {
  for (const { key, mac = key, command } of contributes.keybindings) {
    // AltGr, which types characters on many layouts, is Ctrl+Alt on Windows.
    assert.ok(!/ctrl\+(shift\+)?alt\+[^+]$/.test(key), `${command} is ${key}`);
    // Option types characters on a Mac, with Shift as well.
    assert.ok(!/^(shift\+)?alt\+[^+]$/.test(mac), `${command} is ${mac} on a Mac`);
    assert.ok(!ofMacOs.includes(mac), `${mac} belongs to macOS`);
  }
});

test('every keybinding has a condition set by Parley or its context', () => {
  for (const { command, when } of contributes.keybindings) {
    for (const all of alternativesOf(when)) {
      assert.ok(
        all.some(({ key }) => /^parley\.|^!?inQuickInput$|Focus/.test(key)),
        `${command}: ${when}`,
      );
    }
  }
});

test('keys that work everywhere work in a terminal, too', () => {
  const everywhere = contributes.keybindings.filter(({ when }) => !/editorTextFocus|resource|chatFocused/.test(when));
  assert.ok(everywhere.length > 0);
  assert.deepEqual(
    everywhere.map(({ command }) => command),
    contributes.configurationDefaults['terminal.integrated.commandsToSkipShell'],
  );
});
