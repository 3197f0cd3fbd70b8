import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { provider, providers, stored, tools, turnedOff } from './providersSamples';

const browser = useBrowser();

/** What is looked at, each with the way into it. */
const states: Record<string, (chat: Chat) => Promise<void>> = {
  set: async (chat) => {
    const initial = { apiType: 'openai', baseUrl: 'https://models.example/v1', headerNames: [] };
    const off = turnedOff(provider({ providerId: 'openai', supported: ['openai'], initial }));
    await chat.receive(providers(stored, off));
    await chat.receive({
      type: 'outcome',
      providerId: 'main',
      isDone: true,
      title: 'Saved.',
      next: 'Open sessions may keep the previous settings. New sessions use these.',
    });
  },
  wrong: async (chat) => {
    await chat.receive(providers(stored, provider({ providerId: 'required', isRequired: true })));
    await chat.page.getByLabel('Base URL').first().fill('https://me:key@gateway.example');
    await chat.button('Add header').first().click();
    await chat.button('Save').first().click();
    await chat.page.getByLabel('Base URL').last().fill('https://gateway.example');
    await chat.button('Save').last().click();
    await chat.receive({
      type: 'outcome',
      providerId: 'required',
      isDone: false,
      title: 'Claude didn’t accept the change. Your input is still here.',
      next: 'The gateway answered 401: unknown key',
    });
  },
};

const toolStates: Record<string, (chat: Chat) => Promise<void>> = {
  on: async (chat) => {
    await chat.receive(tools());
  },
  off: async (chat) => {
    await chat.receive({
      ...tools({ isOffForAll: true }),
      problem: 'Couldn’t change your settings: the file is read-only.',
    });
  },
  below: async (chat) => {
    await chat.receive(providers(stored));
    await chat.receive(tools({ isSupported: false, isOn: false }));
    await chat.page.getByRole('checkbox').last().scrollIntoViewIfNeeded();
  },
};

testLooks(
  browser,
  Object.entries(toolStates).map(([name, reach]) => ({
    name: `tools-${name}`,
    page: 'providers',
    height: 1000,
    widths: [290, 1200],
    reach,
  })),
);

testLooks(
  browser,
  Object.entries(states).map(([name, reach]) => ({
    name: `providers-${name}`,
    page: 'providers',
    height: 1000,
    widths: [320, 900],
    reach,
  })),
);
