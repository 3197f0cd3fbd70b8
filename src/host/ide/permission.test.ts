import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PermissionCase } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';
import type { PermissionOption } from '../../shared/transcript/transcript';
import { allowed, type Intent } from './permission';
import type { Language } from '../editor/languages';
import type { ToolCall, ToolServices } from './tool';

const intent: Intent = {
  tool: 'renameSymbol',
  title: 'Rename a to b',
  kind: 'edit',
  paths: ['/folder/a.ts'],
  content: [{ type: 'diff', path: '/folder/a.ts', oldText: 'a', newText: 'b' }],
  isGuarded: false,
};

/** Asks for permission. `rule` is the rules' answer, and `answer` the user's. */
async function asks(given: Partial<Intent>, rule?: 'allow' | 'reject', answer?: string) {
  const judged: PermissionCase[] = [];
  let questions = 0;
  const option = { optionId: rule ?? '', name: '', kind: 'allow_once' } satisfies PermissionOption;
  const rules = {
    answer: (request: PermissionCase) => {
      judged.push(request);
      return rule === undefined ? undefined : { option, rule: '' };
    },
  };
  const call: ToolCall = {
    context: {
      session: 's' as SessionKey,
      agentName: 'A',
      cwd: '/folder',
      ask: () => {
        questions++;
        return Promise.resolve(answer);
      },
    },
    folders: [],
    services: { rules, now: () => 0 } as unknown as ToolServices,
    language: {} as Language,
    args: { symbol: 'a', newName: 'b' },
    signal: new AbortController().signal,
  };
  const outcome = await allowed(call, { ...intent, ...given }).then(
    () => 'allowed',
    (error: unknown) => (error as Error).message,
  );
  return { outcome, questions, judged };
}

void describe('permission for an editor tool', () => {
  void it('is decided by rules, or else by the user', async () => {
    assert.deepEqual((await asks({}, 'allow')).outcome, 'allowed');
    assert.deepEqual((await asks({}, 'allow')).questions, 0);
    assert.match((await asks({}, 'reject', 'allow')).outcome, /permission rules don't allow/);
    assert.equal((await asks({}, undefined, 'allow')).outcome, 'allowed');
    assert.match((await asks({}, undefined, 'reject')).outcome, /The user rejected this/);
    assert.match((await asks({}, undefined, undefined)).outcome, /didn't respond/);
  });

  void it('is decided only by the user in a guarded place, unless rejected', async () => {
    const { outcome, questions } = await asks({ isGuarded: true }, 'allow', 'reject');
    assert.match(outcome, /The user rejected this/);
    assert.equal(questions, 1);
    const rejected = await asks({ isGuarded: true }, 'reject', 'allow');
    assert.match(rejected.outcome, /permission rules don't allow/);
    assert.equal(rejected.questions, 0);
  });

  void it('is judged by its effect, and by arguments that say more', async () => {
    const [request] = (await asks({}, 'allow')).judged;
    assert.deepEqual(request?.subject.mcp, { server: 'editor', tool: 'renameSymbol' });
    assert.deepEqual(request.subject.fields.locations, [{ path: '/folder/a.ts' }]);
    assert.equal(request.subject.fields.rawInput, undefined);
    assert.equal(request.entry.rawInput, undefined);
    const input = { name: 'other_tool' };
    assert.deepEqual((await asks({ input }, 'allow')).judged[0]?.subject.fields.rawInput, input);
  });
});
