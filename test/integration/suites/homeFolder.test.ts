import assert from 'node:assert/strict';
import { mkdtemp, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { FileBridge } from '../../../src/host/files/fileBridge';
import { suite, test, type TestContext } from '../api';
import { Agent, file, onDisk, removeFolder } from '../filesSupport';

function agentIn(context: TestContext, cwd: string, ...answers: (string | undefined)[]): Agent {
  const service = new FileBridge({ outsideWorkspace: () => 'ask' });
  context.after(() => service.dispose());
  return new Agent(service, cwd, answers);
}

suite('a session in the home folder', () => {
  test('asks before every read and write, and so does one above it', async (context) => {
    const home = await realpath(homedir());
    const folder = await mkdtemp(join(home, 'parley-home-'));
    context.after(() => removeFolder(folder));
    const key = await file(folder, 'id_key', 'secret');
    for (const cwd of [home, dirname(home), '/']) {
      const agent = agentIn(context, cwd, 'reject', 'reject');
      await assert.rejects(agent.read(key), /outside this session's folders/);
      await assert.rejects(agent.write(key, 'mine now'), /outside this session's folders/);
      assert.equal(agent.asked.length, 2, cwd);
    }
    assert.equal(await onDisk(key), 'secret');
  });
});
