import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../root.mjs';
import { inSandbox, pathForSandbox } from '../unit-support/sandbox';
import { scene } from './harness';

const call = { sessionUpdate: 'tool_call', toolCallId: 'c', title: 'Install', kind: 'execute', status: 'in_progress' };
const connect =
  'auth=$(echo "$HTTP_PROXY" | sed \'s,.*://,,; s,@.*,,\'); ' +
  'socat -u "PROXY:localhost:host.example:443,proxyport=3128,proxyauth=$auth" - 2>&1';
const trap =
  'printf "#!/bin/sh\\necho ran > $PWD/../ran.txt\\n" > x.sh; chmod +x x.sh; ' +
  'git init -q sub && git -C sub config core.fsmonitor "$PWD/x.sh" && touch sub/t && echo trapped';
const steps = [
  { update: call },
  { run: trap },
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
      const chip = chat.page.getByRole('button', { name: 'Sandbox: files and network' });
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
      // The editor's own Git would have started the program.
      await chat.page.getByText('Set aside the Git repository in sub').waitFor();
      assert.deepEqual(readdirSync(join(workbench.folder, 'sub')).sort(), ['.git-set-aside', 't']);
      assert.ok(!existsSync(join(workbench.folder, '..', 'ran.txt')));
      const said = await chat.transcript.innerText();
      assert.match(said, /outside\.txt: Read-only file system/);
      assert.match(said, /^trapped inside /m);
      assert.match(said, /The user rejected the connection to host\.example:443/);
      await chat
        .toolCall('Install')
        .getByText(/The sandbox blocked writing to .*outside\.txt/)
        .waitFor();
      await screenshot('sandbox');
    },
  );
} else test(name, inSandbox, () => undefined);
