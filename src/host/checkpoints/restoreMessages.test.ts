import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FakeAgent, SessionHarness } from '../../../test/unit-support/fakeSession';
import type { Attachment } from '../../shared/transcript/content';
import type { EntryId } from '../../shared/values/ids';
import type { ToWebview } from '../../shared/pages/messages';
import type { ChatPage } from '../pages/chatPage';
import { restoreIn, type RestoreServices } from './restoreMessages';

const image: Attachment = { type: 'image', data: 'AAAA', mimeType: 'image/png', name: 'Image' };
const link: Attachment = { type: 'resource_link', uri: 'file:///workspace/a.ts', name: 'a.ts' };

/** Edits a message without restoring files. `next` is the new session, if one opens. */
async function edit(harness: SessionHarness, turn: number, next?: SessionHarness) {
  const posted: ToWebview[] = [];
  const page = {
    show: () => undefined,
    post: (message: ToWebview) => posted.push(message),
  } as unknown as ChatPage;
  const services = { openSession: () => next?.session, rewind: async () => false } as unknown as RestoreServices;
  const { session } = harness;
  const entry = `prompt:${turn}` as EntryId;
  await restoreIn(services, page, session, {
    type: 'restore',
    session: session.key,
    entry,
    overwrite: [],
    text: 'edited',
    keepFiles: true,
  });
  return posted.filter(({ type }) => type === 'promptReturned');
}

async function said(): Promise<SessionHarness> {
  const harness = new SessionHarness().open();
  harness.session.sendPrompt('first');
  await harness.agent.end();
  harness.session.sendPrompt('second', [image, link]);
  await harness.agent.end();
  return harness;
}

function opened(): SessionHarness {
  const next = new SessionHarness();
  next.agent = new FakeAgent();
  return next.open();
}

test('sends an edited message with its attachments and the conversation once', async () => {
  const next = opened();
  assert.deepEqual(await edit(await said(), 2, next), []);
  assert.deepEqual(next.agent.heard, ['prompt edited + resource + image + resource_link']);
  await next.agent.end();
  const again = opened();
  await edit(next, 1, again);
  assert.deepEqual(again.agent.heard, ['prompt edited + resource + image + resource_link']);
});

test('an edited message is returned with its attachments if no session opens', async () => {
  assert.deepEqual(await edit(await said(), 2), [
    { type: 'promptReturned', text: 'edited', attachments: [image, link] },
  ]);
});
