import * as vscode from 'vscode';
import { currentFolder } from '../base/folders';
import type { ChatPage } from '../pages/chatPage';
import type { Handlers } from '../pages/handlers';
import type { IntentOf } from '../pages/intent';
import { reported } from '../ui/reported';
import type { StartTypedServices, startTyped as StartTyped } from './startTyped';

/** The row below the message of a new session: where it works, and who answers or tries. */
export function startRowFeature(needs: StartTypedServices) {
  const { log, memory } = needs;
  /** Tells a page the places for a new session. In a folder that isn't trusted, there are none. */
  const tellPlaces = async (page: ChatPage, { session }: Pick<IntentOf<'findPlaces'>, 'session'>) => {
    if (!vscode.workspace.isTrusted) return;
    const { findPlaces } = await import('./startPlaces');
    const shown = session === '' ? undefined : page.session;
    if (session !== '' && shown?.key !== session) return;
    const places = await findPlaces(needs, shown?.transcript.view.cwd ?? currentFolder());
    page.post({ type: 'startPlaces', session, places });
  };
  const messages: Handlers<'startTyped' | 'findPlaces' | 'changeCheck'> = {
    startTyped: (page, message) => reported(log, startTyped(needs, page, message)),
    findPlaces: (page, message) => reported(log, tellPlaces(page, message)),
    changeCheck: (page, message) => {
      const changed = async () => {
        if (!vscode.workspace.isTrusted) return;
        const { changeCheck } = await import('../tries/tryWith');
        await changeCheck(memory);
        await tellPlaces(page, message);
      };
      reported(log, changed());
    },
  };
  return { messages };
}

async function startTyped(...all: Parameters<typeof StartTyped>): Promise<void> {
  const { startTyped: start } = await import('./startTyped');
  await start(...all);
}
