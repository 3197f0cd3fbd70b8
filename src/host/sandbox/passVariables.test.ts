import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { settingsWith } from '../../../test/unit-support/settings';
import { editor } from '../../../test/unit-support/vscode';
import type { Session } from '../../session/session';
import { passVariables } from './passVariables';

beforeEach(() => editor.reset());

test('passes the chosen variables by name, then starts again', async () => {
  const saved: (readonly string[])[] = [];
  const changed: string[] = [];
  const settings = {
    ...settingsWith({ sandboxEnvironment: ['OLD'] }),
    setSandboxEnvironment: (names: readonly string[]) => Promise.resolve(void saved.push(names)),
  };
  const pool = { changeSandbox: (_session: Session, mode: string) => void changed.push(mode) };
  const session = { transcript: { view: { agentName: 'Claude', sandbox: 'files' } }, isClosed: false } as Session;
  editor.answers.push([{ label: 'NPM_TOKEN', name: 'NPM_TOKEN' }] as never, 'Start Again');
  await passVariables({ pool, settings }, session, ['AWS_PROFILE', 'NPM_TOKEN']);
  assert.deepEqual([saved, changed], [[['OLD', 'NPM_TOKEN']], ['files']]);
});
