import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyView } from '../../../test/unit-support/emptyView';
import { Emitter } from '../../shared/values/event';
import type { EntryId, SessionKey } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import { createTranscript } from '../../shared/transcript/ops';
import type { Entry } from '../../shared/transcript/transcript';
import type { FoundWords } from '../sessions/stored/wordIndex';
import { ConversationSearch } from './conversationSearch';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

function live(key: string, text: string) {
  const transcript = createTranscript(emptyView);
  const id = `said in ${key}` as EntryId;
  const entry = { kind: 'agent_message', id, turn: 1, content: [{ type: 'text', text }] } as unknown as Entry;
  transcript.entries.set(id, entry);
  return { key: key as SessionKey, transcript };
}

const stored = (key: string, sentence: string): FoundWords => ({
  key: key as SessionKey,
  entry: `stored in ${key}` as EntryId,
  sentence,
});

/** A search in open sessions and in an index that answers when the test says so. */
function search(sessions: ReturnType<typeof live>[]) {
  const grown = new Emitter<void>();
  const answers: ((found: readonly FoundWords[]) => void)[] = [];
  const asked: string[] = [];
  const words = {
    search: (text: string) => {
      asked.push(text);
      return new Promise<readonly FoundWords[]>((resolve) => answers.push(resolve));
    },
    onDidGrow: grown.event,
  };
  const found: unknown[] = [];
  const page = {
    post: (message: ToWebview) => {
      if (message.type === 'foundSessions')
        found.push([message.text, message.found.map(({ id, sentence }) => [id, sentence])]);
    },
  };
  const searching = new ConversationSearch({ pool: { sessions }, sessions: { stored: [] }, words });
  return { searching, page, found, grown, answers, asked };
}

test('finds words in open sessions as they are, and in stored ones', async () => {
  const { searching, page, found, answers } = search([
    live('a', 'The harbor is open. The ferry left.'),
    live('b', 'Nothing.'),
  ]);
  searching.find(page, 'Ferry');
  answers[0]?.([stored('a', 'An older ferry.'), stored('c', 'A ferry of last year.')]);
  await settle();
  const rows = [
    ['own a', 'The ferry left.'],
    ['own c', 'A ferry of last year.'],
  ];
  assert.deepEqual(found, [['Ferry', rows]]);
});

test('sends no answer to what was typed before', async () => {
  const { searching, page, found, answers } = search([]);
  searching.find(page, 'fer');
  searching.find(page, 'ferry');
  answers[1]?.([stored('c', 'A ferry.')]);
  answers[0]?.([stored('d', 'Fern.')]);
  await settle();
  assert.deepEqual(found, [['ferry', [['own c', 'A ferry.']]]]);
});

test('answers again when more sessions are indexed, until the list closes', async () => {
  const { searching, page, found, answers, asked, grown } = search([]);
  searching.find(page, 'ferry');
  grown.fire();
  answers[1]?.([stored('c', 'A ferry.')]);
  await settle();
  assert.deepEqual(found, [['ferry', [['own c', 'A ferry.']]]]);
  searching.end();
  grown.fire();
  answers[0]?.([stored('d', 'A late ferry.')]);
  await settle();
  assert.deepEqual([asked.length, found.length], [2, 1]);
});
