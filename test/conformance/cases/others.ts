import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { AgentError } from '../agent';
import { configuredAgentName, secretValue } from '../connections';
import { row } from '../row';

row('B19', 'secrets are neither shown nor logged', async (t) => {
  const agent = await t.start(
    {
      'session/prompt': (_params, self) => {
        self.say(`my key is not ${secretValue}`);
        self.act({ stderr: `token=${secretValue}\n` });
        throw new AgentError(-32603, `refused ${secretValue}`, { headers: { Authorization: `Bearer ${secretValue}` } });
      },
    },
    { agent: configuredAgentName },
  );
  await agent.call('session/new');
  await t.prompt('go');
  await t.page.sees({ role: 'alert', hasText: 'refused' });
  assert.deepEqual(await t.page.texts({ role: 'alert', hasText: secretValue }), []);
  // The newest of the logs is the first in the list.
  const shown = vscode.commands.executeCommand('parley.showProtocolLog');
  await t.page.acceptsQuickPick(configuredAgentName);
  await shown;
  const log = vscode.window.activeTextEditor?.document;
  assert.equal(log?.uri.scheme, 'parley-log');
  assert.match(log.getText(), /session\/prompt/);
  assert.ok(!log.getText().includes(secretValue));
});

row('G06', 'an agent of the settings runs as it is written there', async (t) => {
  const agent = await t.start({}, { agent: configuredAgentName });
  await agent.call('session/new');
  assert.deepEqual(agent.hello.args, ['two words', t.workspace]);
  assert.equal(agent.hello.env['CONFORMANCE_TOKEN'], secretValue);
  assert.equal(agent.hello.cwd, '/');
});

row('O02', 'methods of proxies are not served', async (t) => {
  const agent = await t.open();
  for (const method of ['proxy/initialize', 'proxy/successor']) assert.equal(await agent.errorCode(method), -32601);
  assert.ok(!agent.calls.some((method) => String(method).startsWith('proxy/')));
});
