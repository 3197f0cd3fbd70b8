import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { outlineOf, type OutlinedTurn } from '../../session/find/turns';
import type { ToWebview } from '../../shared/messages';
import { showInformation } from '../ui/notifications';
import { createPicker, pickOne } from '../ui/quickInput';
import type { Command, CommandServices } from './command';

interface TurnItem extends vscode.QuickPickItem {
  readonly turn: OutlinedTurn;
}

/** Opens the find widget in the page used last. */
export function find({ pages }: CommandServices): Command {
  return { id: 'parley.find', execute: () => pages.withPage((page) => page.post({ type: 'openFind' })) };
}

export function nextTurn(services: CommandServices): Command {
  return stepTurn('parley.nextTurn', 1, services);
}

export function previousTurn(services: CommandServices): Command {
  return stepTurn('parley.previousTurn', -1, services);
}

function stepTurn(id: string, by: 1 | -1, { pages }: CommandServices): Command {
  return { id, execute: () => pages.withPage((page) => page.post({ type: 'stepTurn', by })) };
}

/**
 * Lists the turns of the session used last, also those that its page hasn't loaded. The page shows the turn that the
 * user moves to in the list, and returns to where the reader was if the list is cancelled.
 */
export function goToTurn({ pages }: CommandServices): Command {
  return {
    id: 'parley.goToTurn',
    async execute() {
      const session = pages.activeSession;
      if (!session) return;
      const turns = outlineOf(session.transcript);
      if (turns.length === 0) {
        void showInformation(l10n.t('There are no turns yet. Send a message first.'));
        return;
      }
      const picker = createPicker<TurnItem>();
      picker.title = l10n.t('Turns');
      picker.placeholder = turns.length === 1 ? l10n.t('Search 1 turn') : l10n.t('Search {0} turns', turns.length);
      picker.matchOnDescription = true;
      picker.items = turns.map(turnItem);
      const last = picker.items.at(-1);
      if (last) picker.activeItems = [last];
      const toPages = (message: ToWebview) => pages.visiblePages.forEach((page) => page.post(message));
      const message = ({ turn }: TurnItem) =>
        ({ type: 'revealEntry', session: session.key, entry: turn.entry }) as const;
      // Until the newest turn is selected, the list reports selections that the user hasn't made.
      let isReady = false;
      let isAccepted = false;
      picker.onDidChangeActive(([item]) => {
        if (isReady && item) toPages({ ...message(item), isPreview: true });
        isReady ||= item === last;
      });
      picker.onDidAccept(() => {
        const [item] = picker.selectedItems;
        isAccepted = item !== undefined;
        if (item) void pages.withSession(session.key, (page) => page.post(message(item)));
        picker.hide();
      });
      await new Promise<void>((resolve) => {
        picker.onDidHide(() => {
          if (!isAccepted) toPages({ type: 'endPreview', session: session.key });
          resolve();
        });
        picker.show();
      });
      picker.dispose();
    },
  };
}

/**
 * Lets the user choose an earlier message of the session used last, and what to restore: the conversation, the files, or
 * both. The page opens the form of that message, so nothing is changed before the user has seen the effects.
 */
export function returnToMessage({ pages, canRestore }: Pick<CommandServices, 'pages' | 'canRestore'>): Command {
  return {
    id: 'parley.rewind',
    async execute() {
      const session = pages.activeSession;
      if (!session) return;
      const turns = outlineOf(session.transcript);
      if (turns.length === 0) {
        void showInformation(l10n.t('There are no turns yet. Send a message first.'));
        return;
      }
      const title = l10n.t('Return to message');
      const item = await pickOne(turns.map(turnItem).reverse(), {
        title,
        placeHolder: l10n.t('Select a message'),
        matchOnDescription: true,
      });
      if (!item) return;
      const { entry, turn } = item.turn;
      const scopes = canRestore(session, turn) ? [conversationOnly(), filesOnly(), both()] : [conversationOnly()];
      const scope = await pickOne(scopes, { title, placeHolder: l10n.t('Select what to restore') });
      if (!scope) return;
      const { mode, keepsFiles } = scope;
      const kept = keepsFiles ? { keepsFiles } : {};
      await pages.withSession(session.key, (page) =>
        page.post({ type: 'openRestore', session: session.key, entry, mode, ...kept }),
      );
    },
  };
}

function conversationOnly() {
  const detail = l10n.t('Edit the message and send it in a new session. Files stay as they are.');
  return { label: l10n.t('Conversation only'), detail, mode: 'edit', keepsFiles: true } as const;
}

function filesOnly() {
  const detail = l10n.t('Restore files to this point. The conversation stays as it is.');
  return { label: l10n.t('Files only'), detail, mode: 'restore', keepsFiles: false } as const;
}

function both() {
  const detail = l10n.t('Restore files to this point, then send the edited message in a new session.');
  return { label: l10n.t('Conversation and files'), detail, mode: 'edit', keepsFiles: false } as const;
}

function turnItem(turn: OutlinedTurn): TurnItem {
  const time =
    turn.startedAt === undefined
      ? ''
      : new Date(turn.startedAt).toLocaleString(vscode.env.language, { dateStyle: 'short', timeStyle: 'short' });
  return {
    label: turn.line === '' ? l10n.t('Turn {0}', turn.turn) : turn.line,
    description: [stateWord(turn), time].filter(Boolean).join(' · '),
    turn,
  };
}

function stateWord({ state }: OutlinedTurn): string {
  switch (state) {
    case 'running':
      return l10n.t('running');
    case 'waiting':
      return l10n.t('waiting for your answer');
    case 'failed':
      return l10n.t('failed');
    case 'declined':
      return l10n.t('declined');
    case 'done':
      return '';
  }
}
