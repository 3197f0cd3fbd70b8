import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { Finding, Fix } from '../../agent/setup/check';
import type { AgentId } from '../../shared/values/ids';
import type { SetupShown } from '../../shared/pages/setUpTabs';
import type { CheckedPart } from './setupCheck';
import { SetupTab, type SetupTabServices } from './setupTab';

const fine: Finding = { name: 'Node', state: 'ok', summary: '22.1.0', detail: 'Found.' };
const logIn: Fix = { kind: 'logIn', label: 'Log in' };
const broken: Finding = {
  name: 'Codex',
  state: 'problem',
  summary: 'no login',
  detail: 'It wants a login.',
  fix: logIn,
};
const codex = 'settings:Codex' as AgentId;

/** A check that finds what the test says. */
function open() {
  let shown: SetupShown | undefined;
  let found: (parts: readonly CheckedPart[]) => void = () => undefined;
  let end: () => void = () => undefined;
  const signals: AbortSignal[] = [];
  const fixes: unknown[] = [];
  const services: SetupTabServices = {
    setup: {
      findings: [fine],
      run: (signal, changed, enough) => {
        found = changed;
        signals.push(signal, ...(enough ? [enough] : []));
        return new Promise<void>((resolve) => (end = resolve));
      },
    },
    supportBundle: { show: () => Promise.resolve() },
    applyFix: (...fix) => Promise.resolve(void fixes.push(fix)),
    log: { error: (text: string) => assert.fail(text) } as never,
  };
  const tab = new SetupTab(services, (message) => (shown = message.shown));
  tab.show();
  const ended = async () => {
    end();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { tab, shown: () => shown!, found: (parts: readonly CheckedPart[]) => found(parts), ended, signals, fixes };
}

beforeEach(() => editor.reset());

test('checks nothing before the user asks for it', async () => {
  const { tab, shown, found, ended, signals } = open();
  assert.equal(shown().state, 'unchecked');
  assert.equal(signals.length, 0);
  tab.receive({ type: 'checkSetup' });
  tab.receive({ type: 'checkSetup' });
  assert.equal(signals.length, 2);
  found([
    { name: 'Node', finding: fine },
    { name: 'Codex', agent: codex },
  ]);
  assert.deepEqual(
    shown().parts.map(({ name, summary }) => [name, summary]),
    [
      ['Node', 'OK · 22.1.0'],
      ['Codex', 'Checking…'],
    ],
  );
  found([
    { name: 'Node', finding: fine },
    { name: 'Codex', agent: codex, finding: broken },
  ]);
  await ended();
  // Problems come first once all are known.
  assert.deepEqual(
    shown().parts.map(({ name }) => name),
    ['Codex', 'Node'],
  );
  assert.equal(shown().state, 'checked');
});

test('does the fix that the page shows, and no other', async () => {
  const { tab, found, ended, fixes } = open();
  tab.reveal();
  found([{ name: 'Codex', agent: codex, finding: broken }]);
  await ended();
  tab.receive({ type: 'fixSetup', name: 'Codex', fix: 'Install' });
  tab.receive({ type: 'fixSetup', name: 'Node', fix: 'Log in' });
  assert.deepEqual(fixes, []);
  tab.receive({ type: 'fixSetup', name: 'Codex', fix: 'Log in' });
  assert.deepEqual(fixes, [[logIn, codex]]);
});

test('stops waiting for an agent, and ends with the page', () => {
  const { tab, shown, found, signals } = open();
  tab.receive({ type: 'checkSetup' });
  found([{ name: 'Codex', agent: codex, soFar: broken }]);
  assert.equal(shown().canStopWaiting, true);
  tab.receive({ type: 'stopWaiting' });
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [false, true],
  );
  tab.dispose();
  assert.equal(signals[0]?.aborted, true);
});
