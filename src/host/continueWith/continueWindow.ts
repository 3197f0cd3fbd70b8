import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ReviewLog } from '../../review/log/reviewLog';
import type { Session } from '../../session/session';
import { modelOption } from '../../shared/transcript/modelName';
import { warnUntrusted } from '../agents/trust';
import { askAgent } from '../base/askAgent';
import type { ChatPages } from '../pages/chatPages';
import { createSession, type CreateServices } from '../sessions/start/createSession';
import { showError, withProgress } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import { continueWith, type Carriable, type ContinueWindow, type NextAgent } from './continueWith';
import { sessionChanges } from './sessionChanges';

export interface ContinueServices extends CreateServices {
  readonly pages: Pick<ChatPages, 'withPage'>;
  readonly review: ReviewLog;
}

/** For the agent, so it isn't translated. */
const summaryPrompt =
  'Summarize this conversation for another agent that will continue the work. Include the task, decisions and their reasons, ' +
  'which files were changed and how, what works, what is left to do, and open questions. ' +
  "Answer with the summary only, and don't change anything.";

/** Continues a session with an agent or model that the user selects. With `bySummary`, the agent summarizes it first. */
export function continueHere(needs: ContinueServices, session: Session | undefined, bySummary = false): Promise<void> {
  return continueWith(windowOf(needs), session, bySummary);
}

function windowOf(needs: ContinueServices): ContinueWindow {
  const { choices, pages, review } = needs;
  return {
    mayStart: () => {
      if (!vscode.workspace.isTrusted) void warnUntrusted();
      return vscode.workspace.isTrusted;
    },
    pickAgent: (session) => pickAgent(needs, session),
    pickWhat,
    pickChanges: async ({ files, diff }) => {
      const count = files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
      const detail = [count, sizeWords(diff.length)].join(', ');
      const placeHolder = l10n.t('Select whether the changes to review go along');
      const items = [
        { label: l10n.t('With the changes as a diff'), detail, takes: true },
        { label: l10n.t('Without the changes'), takes: false },
      ];
      return (await pickOne(items, { placeHolder }))?.takes;
    },
    changesOf: ({ key, transcript }) =>
      sessionChanges(review, key, transcript.view.cwd, (uri) => vscode.Uri.parse(uri).fsPath),
    summarize: async (session) => {
      const title = l10n.t('{0} is writing a summary', session.transcript.view.agentName);
      return withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_, token) => {
        const stop = new AbortController();
        token.onCancellationRequested(() => {
          stop.abort();
          session.cancel();
        });
        return askAgent(session, summaryPrompt, stop.signal);
      });
    },
    createSession: ({ agent, model }, like) => {
      const { cwd } = like.transcript.view;
      const session = createSession(needs, { agent, cwd, like });
      if (!session) return undefined;
      if (model) {
        const { name, value } = model;
        const preset = { name, agent, model: value, options: {}, isDefault: false, isOfWorkspace: false };
        choices.usePreset(session, preset);
      }
      return session;
    },
    withPage: (action) => pages.withPage(action),
    refuse: (why) => void showError(why),
  };
}

/** Lets the user select another agent, another model of the same one, or the same one. */
async function pickAgent(
  { catalog }: Pick<ContinueServices, 'catalog'>,
  session: Session,
): Promise<NextAgent | undefined> {
  const { agentId, agentName, configOptions } = session.transcript.view;
  const option = modelOption(configOptions);
  const models = option?.choices.filter(({ value }) => value !== option.currentValue) ?? [];
  const own = catalog.all.find(({ id }) => id === agentId);
  const items: (vscode.QuickPickItem & { readonly next: NextAgent })[] = [
    ...catalog.all.filter(({ id }) => id !== agentId).map(({ id, name }) => ({ label: name, next: { agent: id } })),
    ...(own ? [{ label: agentName, description: l10n.t('same agent'), next: { agent: agentId } }] : []),
    ...(own ? models : []).map(({ value, name }) => ({
      label: l10n.t('{0}, {1}', agentName, name),
      description: l10n.t('another model'),
      next: { agent: agentId, model: { value, name } },
    })),
  ];
  const placeHolder = l10n.t('Select an agent to continue with');
  return (await pickOne(items, { placeHolder, matchOnDescription: true }))?.next;
}

async function pickWhat(agentName: string, offered: readonly Carriable[]): Promise<Carriable['what'] | undefined> {
  const items = offered.map(({ what, length = 0 }) => {
    switch (what) {
      case 'conversation':
        return { what, label: l10n.t('The whole conversation'), detail: sizeWords(length) };
      case 'lastTurn':
        return { what, label: l10n.t('Only the last turn'), detail: sizeWords(length) };
      case 'summary':
        return {
          what,
          label: l10n.t('A summary by {0}', agentName),
          detail: l10n.t('{0} writes it now, as a turn of this session', agentName),
        };
    }
  });
  const placeHolder = l10n.t('Select what the new session gets. You can read and change it before sending.');
  return (await pickOne(items, { placeHolder }))?.what;
}

function sizeWords(length: number): string {
  return l10n.t('{0} characters of text', length.toLocaleString(vscode.env.language));
}
