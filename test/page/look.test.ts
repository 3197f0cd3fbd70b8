import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import {
  agentMessage,
  asking,
  commands,
  configOptions,
  listing,
  pageState,
  pageWithSession,
  plan,
  sessionA,
  sessionB,
  snapshot,
  toolCall,
  userMessage,
} from './samples';

const browser = useBrowser();

/** The states of the page that are looked at, each with the way into it. */
const states: Record<string, (chat: Chat) => Promise<void>> = {
  start: async (chat) => {
    await chat.showPage(pageState());
  },
  untrusted: async (chat) => {
    await chat.showPage(pageState({ trusted: false }));
    await chat.message.fill('Fix the flaky upload');
  },
  starting: async (chat) => {
    await chat.showPage(pageWithSession());
    await chat.showSession(sessionA, snapshot({ connection: { state: 'starting' }, sessionId: '', title: '' }));
  },
  busy: async (chat) => {
    await chat.showPage(pageWithSession([listing(sessionB, { title: 'Docs pass', state: 'requires_action' })]));
    await chat.showSession(
      sessionA,
      snapshot(
        {
          activity: { state: 'requires_action', since: Date.now() - 18_000 },
          plans: [plan],
          configOptions,
          availableCommands: commands,
          usage: { state: 'known', used: 124_000, size: 200_000 },
          queue: [
            { id: 'q1', text: 'Also remove moment-timezone' },
            { id: 'q2', text: 'Then open a draft pull request' },
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
  popup: async (chat) => {
    await chat.showPage(pageWithSession());
    await chat.showSession(sessionA, snapshot({ availableCommands: commands, configOptions }));
    await chat.message.pressSequentially('/re');
    await chat.page.getByRole('listbox', { name: 'Commands' }).waitFor();
  },
  plan: async (chat) => {
    await chat.showPage(pageWithSession());
    await chat.showSession(
      sessionA,
      snapshot({
        activity: { state: 'running', since: Date.now() },
        plans: [plan],
        usage: { state: 'known', used: 168_000, size: 200_000 },
      }),
    );
    await chat.page.getByRole('button', { name: /^Plan/ }).click();
  },
};

testLooks(
  browser,
  Object.entries(states).map(([name, reach]) => ({ name, reach, widths: [240, 320, 420, 900], themed: [420] })),
);
