import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import { AllowEverything } from '../permissions/allowEverything';
import { parsePolicy } from '../permissions/policyFile';
import { EverythingMode } from './everythingMode';

const key = 's' as SessionKey;
/** A session with this sandbox. */
function sessionIn(sandbox: SandboxMode): Session {
  return {
    key,
    transcript: { view: { agentName: 'Claude', sandbox, activity: { state: 'idle' } } },
  } as unknown as Session;
}

beforeEach(() => editor.reset());

async function turnOn(policy = '{}', isOpen = true, session = sessionIn('off')): Promise<AllowEverything> {
  const sessions = new AllowEverything();
  const useOwnCopy = ({ transcript }: Session) => Object.assign(transcript.view, { sandbox: 'ownCopy' });
  await new EverythingMode(sessions, parsePolicy(policy), () => isOpen, useOwnCopy).turnOn(session);
  return sessions;
}

void describe('allowing everything', () => {
  void it('needs the user to confirm a warning', async () => {
    assert.equal((await turnOn()).freedomOf(key), undefined);
    assert.match(editor.shown[0]?.message ?? '', /Allow everything Claude asks for/);
    editor.answers.push('Allow Everything');
    const sessions = await turnOn();
    assert.equal(sessions.freedomOf(key), 'everything');
    assert.equal(sessions.freedomOf('other' as SessionKey), undefined);
    sessions.turnOffAll();
    assert.equal(sessions.isOn, false);
  });

  void it("isn't possible if forbidden, in Restricted Mode, or once closed", async () => {
    editor.answers.push('Allow Everything', 'Allow Everything', 'Allow Everything');
    assert.equal((await turnOn('{"allowEverything":false}')).isOn, false);
    assert.match(editor.shown[0]?.message ?? '', /Your organization doesn’t permit/);
    editor.isTrusted = false;
    assert.equal((await turnOn()).isOn, false);
    assert.match(editor.shown[1]?.message ?? '', /Restricted Mode/);
    editor.isTrusted = true;
    assert.equal((await turnOn('{}', false)).isOn, false);
  });

  void it('offers an own copy first, and works freely there', { skip: process.platform === 'win32' }, async () => {
    for (const sandbox of ['off', 'files', 'filesAndNetwork'] as const) {
      editor.reset();
      editor.answers.push('Use Own Copy');
      const session = sessionIn(sandbox);
      const sessions = await turnOn('{}', true, session);
      assert.equal(editor.shown[0]?.items[1], 'Use Own Copy');
      assert.equal(session.transcript.view.sandbox, 'ownCopy');
      assert.equal(sessions.freedomOf(key), 'inSandbox');
    }
    editor.reset();
    await turnOn('{}', true, sessionIn('ownCopy'));
    assert.deepEqual(editor.shown[0]?.items.slice(1), ['Work Freely']);
  });

  void it('is working freely in a sandbox, and ends with it', async () => {
    for (const sandbox of ['files', 'filesAndNetwork'] as const) {
      editor.reset();
      editor.answers.push('Work Freely');
      const sessions = await turnOn('{}', true, sessionIn(sandbox));
      assert.equal(sessions.freedomOf(key), 'inSandbox');
      assert.equal(editor.shown[0]?.message, 'Let Claude work freely inside its sandbox?');
      sessions.follow(key, sandbox);
      assert.equal(sessions.freedomOf(key), 'inSandbox');
      sessions.follow(key, sandbox === 'files' ? 'filesAndNetwork' : 'files');
      assert.equal(sessions.freedomOf(key), undefined);
    }
    editor.answers.push('Work Freely');
    assert.equal((await turnOn('{"allowEverything":false}', true, sessionIn('files'))).isOn, false);
  });
});
