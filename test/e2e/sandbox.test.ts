import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inRoot } from '../root.mjs';
import { inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { scene } from './harness';

const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Install', kind: 'execute', status: 'in_progress' };
const connect =
  'auth=$(echo "$HTTP_PROXY" | sed \'s,.*://,,; s,@.*,,\'); ' +
  'socat -u "PROXY:localhost:host.example:443,proxyport=3128,proxyauth=$auth" - 2>&1';
const steps = [
  { update: call },
  { run: 'echo x > ../outside.txt; echo inside > made.txt; cat made.txt' },
  { run: connect },
  { update: { sessionUpdate: 'tool_call_update', toolCallId: 'c', status: 'failed' } },
  { say: 'That is all' },
];
const agent = {
  command: process.execPath,
  args: [inRoot('test', 'fixtures', 'agents', 'scripted.mjs'), JSON.stringify({ turns: [{ steps }] })],
  env: { PATH: pathForSandbox },
};

const name = 'runs an agent in a sandbox, and asks about its hosts';
if (inSandbox.skip === false) {
  scene(
    name,
    { agents: { Codex: agent }, settings: { 'parley.sandbox': 'filesAndNetwork' } },
    async ({ workbench, chat, openChat, screenshot }) => {
      await openChat();
      await chat.button('Start Codex').click();
      const chip = chat.page.locator('.pl-header').getByRole('button', { name: 'Sandbox: files and network' });
      await chip.waitFor();
      await workbench.runCommand('Parley: Work Freely Inside the Sandbox');
      const question = workbench.dialog();
      await question.getByText('Let Codex work freely inside its sandbox?').waitFor();
      await question.getByRole('button', { name: 'Work Freely' }).click();
      await chat.page.getByText('Codex works freely inside its sandbox').waitFor();
      // A host is still asked about.
      await chat.send('go');
      const title = 'Connect to host.example:443';
      await chat.untilAnswerable(title);
      await chat
        .permission(title)
        .getByRole('button', { name: /^Reject(?! and)/ })
        .click();
      await chat.untilIdle();
      await chat.untilText(chat.article('Codex'), 'That is all');
      const said = await chat.transcript.innerText();
      assert.match(said, /outside\.txt: Read-only file system/);
      assert.match(said, /^inside /m);
      assert.match(said, /The user rejected the connection to host\.example:443/);
      await chat
        .toolCall('Install')
        .getByText(/The sandbox blocked writing to .*outside\.txt/)
        .waitFor();
      await screenshot('sandbox');
    },
  );
} else test(name, inSandbox, () => undefined);
