import { useBrowser, type Chat } from './chat';
import { testLooks, type Look } from './look';
import { plans } from './rowSamples';
import {
  agentMessage,
  asking,
  commands,
  configOptions,
  listing,
  pageWithSession,
  plan,
  sessionA,
  sessionB,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

/* What stands around a conversation. */

const link = { type: 'resource_link', uri: 'file:///w/a.ts', name: 'a.ts' } as const;

const looks: readonly Look[] = [
  {
    name: 'busy',
    widths: [240, 320],
    inTab: true,
    reach: async (chat) => {
      await chat.showPage(pageWithSession([listing(sessionB, { title: 'Docs pass', state: 'requires_action' })]));
      await chat.showSession(
        sessionA,
        snapshot(
          {
            activity: { state: 'requires_action', since: Date.now() - 18_000 },
            plans: [plan],
            configOptions,
            availableCommands: commands,
            usage: { state: 'known', used: 168_000, size: 200_000 },
            canSteer: true,
            queue: [
              { id: 'q1', text: 'Also remove moment-timezone' },
              { id: 'q2', text: 'Then open a draft pull request', attachments: [link] },
            ],
          },
          [
            userMessage('u1', 'Uploads fail now and then on slow links. Add retry with backoff to the upload client.'),
            agentMessage('a1', "I'll look at how parts are sent, then put the retry in one place."),
            toolCall('t1', { title: 'client.ts', toolKind: 'read', status: 'completed' }),
            asking('t2'),
          ],
        ),
      );
    },
    again: (chat) => chat.page.getByRole('list', { name: 'Queue' }).getByRole('listitem').nth(1).hover(),
  },
  {
    name: 'popup',
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      await chat.showSession(sessionA, snapshot({ availableCommands: commands, configOptions }));
      await chat.message.pressSequentially('/re');
      await chat.page.getByRole('listbox', { name: 'Commands' }).waitFor();
    },
  },
  { name: 'plans', widths: [240, 320], reach: showPlans },
];

async function showPlans(chat: Chat): Promise<void> {
  await chat.showPage(pageWithSession());
  await chat.showSession(sessionA, snapshot({ activity: { state: 'running', since: Date.now() }, plans }));
  for (const name of [/^Plan(?! \d)/, /^Plan 2/]) await chat.page.getByRole('button', { name }).click();
}

testLooks(useBrowser(), looks);
