import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../session/session';
import type { SessionKey } from '../../shared/values/ids';
import type { ChatPage } from './chatPage';
import { handleIntent, inSession, type Handlers } from './handlers';
import type { Intent, IntentType } from './intent';

const shown = 'shown' as SessionKey;
const session = { key: shown } as unknown as Session;
const page = {
  sessionOf: (message: Intent) => ('session' in message && message.session === shown ? session : undefined),
} as unknown as ChatPage;

void describe('a page message', () => {
  const heard: string[] = [];
  const problems: unknown[] = [];
  const table = {
    openLink: (_page, { href }) => heard.push(href.trim()),
    cancelTurn: inSession(({ key }) => heard.push(key)),
  } satisfies Partial<Handlers<IntentType>> as unknown as Handlers<IntentType>;
  const hear = (message: unknown) => {
    heard.length = 0;
    handleIntent(table, page, message as Intent, (error) => problems.push(error));
    return [...heard];
  };

  void it('is passed to the handler of its type', () => {
    assert.deepEqual(hear({ type: 'openLink', href: 'https://a.test' }), ['https://a.test']);
  });

  void it('is ignored if the page does not show its session', () => {
    assert.deepEqual(hear({ type: 'cancelTurn', session: shown }), ['shown']);
    assert.deepEqual(hear({ type: 'cancelTurn', session: 'other' }), []);
    assert.deepEqual(hear({ type: 'cancelTurn' }), []);
  });

  void it('that can’t be read is reported, and nothing else happens', () => {
    assert.deepEqual(hear({ type: 'openLink', href: 7 }), []);
    assert.match(String(problems), /trim is not a function/);
  });

  void it('is ignored if its type is unknown or an Object.prototype name', () => {
    for (const type of ['', 'formatDisk', 'toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf']) {
      assert.deepEqual(hear({ type, session: shown }), [], type);
    }
  });
});
