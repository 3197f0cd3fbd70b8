import { useBrowser, type Chat } from './chat';
import { address, answered, asked, everyField, form, release } from './elicitationSamples';
import { testLooks } from './look';
import { agentMessage, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

const browser = useBrowser();

/** What is looked at, each with the way into it. */
const states: Record<string, (chat: Chat) => Promise<void>> = {
  form: async (chat) => {
    await show(chat, [asked('e', form(release))]);
    await chat.page.getByLabel('Version').pressSequentially('.');
  },
  everyField: async (chat) => {
    await show(chat, [
      asked(
        'e',
        { ...form(everyField), title: 'Release 2.8', description: 'All of it can be changed later.' },
        { message: 'A form with everything that there is' },
      ),
    ]);
    await chat.page.waitForSelector('.pl-ask[data-ready]');
    await chat.button('Submit').click();
  },
  addresses: async (chat) => {
    const urls = [
      'https://login.example.com/device?user_code=ABCD-EFGH&redirect_uri=http%3A%2F%2Flocalhost%3A1455%2Fcallback&state=8f3a9d1c',
      'http://\u0430pple.com/login',
    ];
    await show(
      chat,
      urls.map((url, at) => asked(`e${at}`, address(url), { message: 'Log in to continue' })),
    );
    await chat.page.waitForSelector('.pl-ask[data-ready]');
  },
  answered: async (chat) => {
    await show(chat, answered);
  },
};

async function show(chat: Chat, entries: Parameters<typeof snapshot>[1]): Promise<void> {
  await chat.showPage(pageWithSession());
  const activity = { state: 'requires_action', since: Date.now() - 9000 } as const;
  const said = agentMessage(
    'a',
    'There are 24 commits since 2.7.3: 3 features, 19 fixes, nothing breaking. I need four answers.',
  );
  const call = toolCall('t', { title: 'git log 2.7.3..HEAD --oneline', status: 'completed' });
  const before = [userMessage('u', 'Prepare the next release.'), call, said];
  await chat.showSession(sessionA, snapshot({ activity }, [...before, ...(entries ?? [])]));
}

testLooks(
  browser,
  Object.entries(states).map(([name, reach]) => ({
    name: `question-${name}`,
    height: name === 'everyField' ? 1700 : 860,
    reach,
  })),
);
