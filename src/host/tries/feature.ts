import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { TerminalService } from '../../session/services';
import type { Session } from '../../session/session';
import { DisposableStore } from '../../shared/values/disposable';
import { once } from '../../shared/values/once';
import { Emitter } from '../../shared/values/event';
import type { SessionKey } from '../../shared/values/ids';
import type { CheckResult } from '../../tries/tryGroup';
import { runCheck } from '../afterTurn/runCheck';
import type { Act } from '../base/actions';
import { actionTable, commandTable } from '../base/feature';
import type { Handlers } from '../pages/handlers';
import type { Review } from '../review/review';
import { reported } from '../ui/reported';
import { TriesPages } from './triesPages';
import type { TriesPanelServices } from './triesPanel';
import type { TryTakerServices } from './tryTaker';
import { TryTurns } from './tryTurns';
import type { tryWith, TryWithServices } from './tryWith';

export interface TriesFeatureNeeds extends TryWithServices {
  readonly extensionUri: vscode.Uri;
  readonly pool: AgentPool;
  readonly terminals: Pick<TerminalService, 'create'>;
  /** Changes that agents make. */
  readonly review: Pick<Review, 'log' | 'disk'>;
  readonly bringer: () => Promise<TryTakerServices['bringer']>;
  readonly knownAgents: TriesPanelServices['knownAgents'];
  /** Opens a stored session, or shows one that is open. `show` is called instead of showing it. */
  readonly openSession: (session: SessionKey, show?: () => void) => Promise<void>;
  readonly act: Act<'openChat' | 'openReview'>;
}

/** Several tries of one task: started, checked, and compared. */
export function triesFeature(needs: TriesFeatureNeeds) {
  const { pool, terminals, store, review, log, extensionUri, bringer, openSession } = needs;
  const find = (key: SessionKey) => pool.sessions.find((one) => one.key === key);
  const parts = new DisposableStore();
  const report = (error: unknown) => log.warn(`Tries: ${String(error)}`);
  const turns = parts.add(
    new TryTurns<Session>({ pool, store, report, run: (...args) => checkTry(terminals, ...args) }),
  );
  const changed = parts.add(new Emitter<void>());
  parts.add(turns.onDidChange(() => changed.fire()));
  parts.add(review.log.onDidChange(() => changed.fire()));
  const sessionOf = async (key: SessionKey) => {
    if (!find(key)) await openSession(key, () => undefined);
    const session = find(key);
    if (!session) throw new Error(l10n.t('The session of this try is no longer there. Use Git to merge its branch.'));
    return session;
  };
  const pages = parts.add(
    new TriesPages({
      extensionUri,
      store,
      knownAgents: needs.knownAgents,
      onDidChangeTries: changed.event,
      stateOf: (key) => {
        const session = find(key);
        if (!session || session.transcript.view.activity.state === 'idle') return 'ended';
        return session.openRequests > 0 ? 'waiting' : 'working';
      },
      isChecking: (key) => turns.isChecking(key),
      check: (key) => turns.check(key),
      taker: once(async () => {
        const { TryTaker } = await import('./tryTaker');
        return new TryTaker({ store, log: review.log, disk: review.disk, bringer: await bringer(), sessionOf });
      }),
      openSession: (key) => openSession(key),
      end: (key) => find(key)?.close(),
      act: needs.act,
      report,
    }),
  );
  const start = async (...args: [argument: unknown, typed?: Parameters<typeof tryWith>[2]]) => {
    const { tryWith: ask } = await import('./tryWith');
    const id = await ask(needs, ...args);
    if (id !== undefined) await pages.show(id);
    return id;
  };
  const messages: Handlers<'tryWith' | 'compareTries'> = {
    compareTries: (_page, { task }) => {
      if (store.get(task)) reported(log, pages.show(task));
    },
    tryWith: (page, { text, attachments = [] }) => {
      const typed = text.trim() === '' && attachments.length === 0 ? undefined : { text, attachments };
      const started = start(undefined, typed).then((id) => {
        if (id !== undefined && typed) page.post({ type: 'triesStarted', text });
      });
      reported(log, started);
    },
  };
  const commands = commandTable({
    'parley.tryWith': (argument) => start(argument),
    'parley.compareTries': () => pages.choose(),
  });
  const actions = actionTable({
    startTries: async ({ folder, prompt, starts }) => {
      const { startTries } = await import('./tryWith');
      await pages.show(await startTries(needs, folder, prompt, starts));
    },
  });
  return { messages, commands, actions, flushNow: () => store.flushNow(), dispose: () => parts.dispose() };
}

/** Runs the user's command in a try's worktree, with its output in the session. */
async function checkTry(
  terminals: Pick<TerminalService, 'create'>,
  session: Session,
  command: string,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const start = performance.now();
  const end = await runCheck(session, terminals, command, signal, {
    title: l10n.t('Check: {0}', command),
    problem: l10n.t('Couldn’t start the command that checks this try'),
    nextStep: l10n.t('Run it again on the comparison page.'),
  });
  if (!end) return undefined;
  const ms = Math.round(performance.now() - start);
  return { ms, ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }) };
}
