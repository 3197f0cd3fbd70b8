import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { RemoteServer } from '../unit-support/remoteServer';
import { scene } from './harness';

/** An agent on "another machine": on loopback, in the process of the test. */
let server: RemoteServer;
before(async () => {
  server = await RemoteServer.open();
  server.intercept = ({ headers }) => (headers.authorization === 'Bearer right' ? undefined : 401);
});
after(() => server.stop());

scene(
  'an agent on another machine asks for its token and reconnects',
  {
    agents: () => ({
      'Build server': { url: server.http, headers: { Authorization: 'Bearer ${input:token}' }, cwd: '/srv/code' },
    }),
    files: { 'notes.md': 'notes\n' },
  },
  async ({ workbench, chat, openChat, screenshot }) => {
    const input = workbench.page.locator('.quick-input-widget input');
    await openChat();
    await chat.write('Hello');
    await chat.message.press('Enter');
    await workbench.page.getByText('Agent Build server').waitFor();
    await input.fill('wrong');
    await input.press('Enter');

    const again = chat.page.getByRole('button', { name: 'Enter a token' });
    await again.waitFor();
    await screenshot('remote-login');
    await again.click();
    await workbench.page.getByText('Agent Build server').waitFor();
    await input.fill('right');
    await input.press('Enter');
    await chat.transcript.getByText('Build server works with files on another machine').waitFor();
    await chat.page
      .getByRole('button', { name: 'Send again' })
      .or(chat.transcript.getByText('You said: Hello'))
      .first()
      .waitFor();
    if (!(await chat.transcript.getByText('You said: Hello').isVisible())) {
      await chat.page.getByRole('button', { name: 'Send again' }).click();
    }
    await chat.transcript.getByText('You said: Hello').waitFor();
    assert.equal(server.methods.find(({ method }) => method === 'session/new')?.params['cwd'], '/srv/code');

    server.drop();
    await chat.transcript.getByText('Reconnected to Build server').waitFor();
    await screenshot('remote-reconnected');
    await chat.send('Still there?');
    await chat.transcript.getByText('You said: Still there?').waitFor();
    assert.deepEqual(server.prompts, ['Hello', 'Still there?']);
  },
);
