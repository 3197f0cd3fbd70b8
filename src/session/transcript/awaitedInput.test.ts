import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { TerminalId } from '../../shared/values/ids';
import type { ServedTerminal } from '../services';
import { silentMs } from './awaitedInput';
import { waitsAtPrompt } from './promptLine';

const id = 't1' as TerminalId;
const served = { terminalId: id, driver: 'pty', command: 'npm init', cwd: '/workspace' } as unknown as ServedTerminal;

/** A session whose agent has started a command in one of Parley's terminals. */
function started(): SessionHarness {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('Go');
  harness.session.terminals.created(served);
  return harness;
}

const waits = ({ session }: SessionHarness) => session.transcript.terminals.get(id)?.waitsForInput === true;

test('a silent command with a prompt waits for input until more output', () => {
  const harness = started();
  const { terminals } = harness.session;
  terminals.output(id, 'Creating a project\r\npackage name: (demo) ');
  harness.clock.pass(silentMs - 1);
  terminals.output(id, '\u001b[0m');
  harness.clock.pass(silentMs - 1);
  assert.equal(waits(harness), false, 'it has just printed something');
  harness.clock.pass(1);
  assert.equal(waits(harness), false, 'no question was asked');
  terminals.output(id, '\r\nIs this OK? (yes) ');
  harness.clock.pass(silentMs);
  assert.equal(waits(harness), true);
  terminals.output(id, 'yes\r\n');
  assert.equal(waits(harness), false);
  terminals.output(id, 'Password: ');
  harness.clock.pass(silentMs);
  assert.equal(waits(harness), true);
  terminals.exited(id, { exitCode: 1 });
  assert.equal(waits(harness), false);
  terminals.output(id, 'Password: ');
  harness.clock.pass(silentMs);
  assert.equal(waits(harness), false, 'nothing waits after the end');
});

test('a session that closes leaves no timer', () => {
  const harness = started();
  harness.session.terminals.output(id, 'Continue? [y/N] ');
  harness.session.close();
  assert.equal(harness.clock.waiting, 0);
});

test('recognizes the prompts of common programs', () => {
  const prompts = [
    'Do you want to continue? [Y/n] ',
    'Need to install the following packages:\ncreate-vite@9\nOk to proceed? (y) ',
    'Are you sure you want to continue connecting (yes/no/[fingerprint])? ',
    '[sudo] password for ann: ',
    "Enter passphrase for key '/home/ann/.ssh/id_ed25519': ",
    "Username for 'https://github.com': ",
    'Overwrite a.txt? ',
    'rm: remove regular file a.txt? ',
    'Press any key to continue . . .',
    '\u001b[32m?\u001b[39m \u001b[1mProject name:\u001b[22m \u001b[2m›\u001b[22m demo',
    '[Y] Yes  [A] Yes to All  [N] No  [L] No to All  [S] Suspend  [?] Help (default is "Y"): ',
    'Enter a value: ',
    'Select an option: ',
    '>>> ',
    'mysql> ',
    '(gdb) ',
    'text\n:',
    'text\n(END)',
    '\u001b[?1049h\u001b[1;1H~\n~\n"COMMIT_EDITMSG" 9L',
  ];
  for (const output of prompts) assert.equal(waitsAtPrompt(output), true, JSON.stringify(output));
});

test('takes no other output for a prompt', () => {
  const others = [
    '',
    'Do you want to continue? [Y/n] y\n',
    'Continue? [y/N] \n',
    'Downloading… 45%',
    'Progress: 12/40',
    '⠋ Installing packages',
    '\u001b[?1049h~\n\u001b[?1049l$ done',
    'Server ready at http://localhost:3000',
    'Overwrite? \rdone',
    'listening on port 3000 ...',
    'a > b',
    '12:30:45',
  ];
  for (const output of others) assert.equal(waitsAtPrompt(output), false, JSON.stringify(output));
});

test('finds the prompt of a very long line quickly', () => {
  const long = `${'(y/'.repeat(300_000)}?${'a'.repeat(300_000)} `;
  const began = performance.now();
  waitsAtPrompt(long);
  assert.ok(performance.now() - began < 500);
});
