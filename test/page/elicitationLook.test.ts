import assert from 'node:assert/strict';
import { useBrowser } from './chat';
import { address, answered, asked, everyField, form } from './elicitationSamples';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const addresses = [
  'https://login.example.com/device?user_code=ABCD-EFGH&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fcallback&state=8f3a9d1c',
  'http://\u0430pple.com/login',
];

testLooks(useBrowser(), [
  {
    name: 'questions',
    height: 2600,
    reach: async (chat) => {
      await chat.showPage(pageWithSession());
      const fields = { ...form(everyField), title: 'Release 2.8', description: 'All of it can be changed later.' };
      const entries = [
        userMessage('u', 'Prepare the next release.'),
        toolCall('t', { title: 'git log 2.7.3..HEAD --oneline', status: 'completed' }),
        agentMessage('a', 'There are 24 commits since 2.7.3: 3 features, 19 fixes, nothing breaking.'),
        asked('form', fields, { message: 'A form with everything that there is' }),
        ...addresses.map((url, at) => asked(`address${at}`, address(url), { message: 'Log in to continue' })),
        ...answered,
      ];
      const activity = { state: 'requires_action', since: Date.now() - 9000 } as const;
      await chat.showSession(sessionA, snapshot({ activity }, entries));
      await chat.page.waitForFunction(() => document.querySelectorAll('.pl-ask[data-ready]').length === 3);
      await chat.button('Submit').click();
    },
    check: async (chat) => {
      const lines = await chat.page.locator('.pl-answered').allInnerTexts();
      assert.deepEqual(
        lines.map((line) => line.trim().replace(/^.*\n/, '')),
        [
          'You answered: Kind of release: Minor · Version: 2.8.0 · Access token: not shown',
          'You submitted an empty form',
          'You opened login.example.com',
          'You opened login.example.com and finished there',
          'You declined',
          'You cancelled',
          'Request cancelled',
          'Already done',
        ],
      );
    },
  },
]);
