import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/ids';
import { AllowEverything } from '../permissions/allowEverything';
import { parsePolicy } from '../permissions/policyFile';
import { EverythingMode } from './everythingMode';

const key = 's' as SessionKey;
const session = { key, transcript: { view: { agentName: 'Claude' } } } as unknown as Session;

beforeEach(() => editor.reset());

async function turnOn(policy = '{}', isOpen = true): Promise<AllowEverything> {
  const sessions = new AllowEverything();
  await new EverythingMode(sessions, parsePolicy(policy), () => isOpen).turnOn(session);
  return sessions;
}

void describe('allowing everything', () => {
  void it('needs the user to confirm a warning', async () => {
    assert.equal((await turnOn()).isOnIn(key), false);
    assert.match(editor.shown[0]?.message ?? '', /Allow everything Claude asks for/);
    editor.answers.push('Allow Everything');
    const sessions = await turnOn();
    assert.equal(sessions.isOnIn(key), true);
    assert.equal(sessions.isOnIn('other' as SessionKey), false);
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
});
