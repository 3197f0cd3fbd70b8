import * as l10n from '@vscode/l10n';
import { DisposableStore } from '../../shared/values/disposable';
import type { ToWebview } from '../../shared/pages/messages';
import { commandTable } from '../base/feature';
import type { AnswerMemory } from '../consent/contentConsent';
import type { Log } from '../log/log';
import type { ChatPages } from '../pages/chatPages';
import type { Handlers } from '../pages/handlers';
import { showWarning } from '../ui/notifications';
import { reported } from '../ui/reported';
import { PromptConsent } from './promptConsent';
import type { PromptLibrary } from './promptLibrary';

export interface PromptNeeds {
  readonly library: PromptLibrary;
  readonly pages: Pick<ChatPages, 'activeSession' | 'broadcast' | 'onDidLoad' | 'withPage'>;
  /** Remembers which prompts of the workspace the user has agreed to. */
  readonly memory: AnswerMemory;
  readonly log: Log;
}

/** The prompts of the user and of the workspace: offered in the composer, created, and saved from messages. */
export function promptsFeature({ library, pages, memory, log }: PromptNeeds) {
  const parts = new DisposableStore();
  const consent = new PromptConsent(memory);
  const needs = { library, consent };

  const list = async (post: (message: ToWebview) => void) =>
    post({ type: 'prompts', prompts: await library.listings() });
  parts.add(
    pages.onDidLoad((page) =>
      reported(
        log,
        list((message) => page.post(message)),
      ),
    ),
  );
  parts.add(
    library.onDidChange(() =>
      reported(
        log,
        list((message) => pages.broadcast(message)),
      ),
    ),
  );

  /** Resolves to the text of a prompt, or undefined if it isn't used. The user knows why. */
  const take = async (id: string): Promise<string | undefined> => {
    const taken = await library.take(id);
    if (!taken) {
      library.refresh();
      void showWarning(l10n.t('This prompt can no longer be read.'));
      return undefined;
    }
    return (await consent.get(taken.listing, taken.text)) ? taken.text : undefined;
  };
  const use = async (id: string) => {
    const text = await take(id);
    if (text !== undefined) await pages.withPage((page) => page.post({ type: 'tookPrompt', text }));
  };
  const savePrompt = async (text: string) => (await import('./newPrompt')).savePrompt(needs, text);
  const newPrompt = async () => (await import('./newPrompt')).newPrompt(needs);
  const save = async () => {
    const { pickMessage } = await import('./pickPrompt');
    const text = await pickMessage(pages.activeSession);
    if (text !== undefined) await savePrompt(text);
  };

  const messages: Handlers<'takePrompt' | 'savePrompt'> = {
    takePrompt: (page, { id }) => {
      const answer = async () => {
        // The page waits for an answer in any case.
        const text = await take(id).catch((error: unknown) => {
          page.post({ type: 'tookPrompt', id });
          throw error;
        });
        page.post({ type: 'tookPrompt', id, ...(text === undefined ? {} : { text }) });
      };
      reported(log, answer());
    },
    savePrompt: (_page, { text }) => reported(log, savePrompt(text)),
  };
  const create = () => reported(log, newPrompt());
  const commands = commandTable({
    'parley.newPrompt': create,
    'parley.savePrompt': () => reported(log, save()),
    'parley.showPrompts': () => {
      const run = async () => {
        const { pickPrompt } = await import('./pickPrompt');
        const picked = await pickPrompt(await library.listings());
        if (picked === 'new') await newPrompt();
        else if (picked) await use(picked.id);
      };
      reported(log, run());
    },
  });
  return { messages, commands, create, use: (id: string) => reported(log, use(id)), dispose: () => parts.dispose() };
}
