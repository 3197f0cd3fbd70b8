import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { sandboxName } from '../../shared/limits/sandboxWords';
import { sandboxModes, strictestMode, type SandboxMode } from '../../shared/limits/sandboxMode';
import { askModal } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';
import type { Settings } from '../settings/settings';
import { passVariables, type PassNeeds } from './passVariables';
import { policyWords } from './policyWords';

export interface ChooseNeeds extends PassNeeds {
  readonly pool: Pick<AgentPool, 'changeSandbox' | 'sandboxOf'>;
  /** Returns what the workspace and the policy require at least. */
  readonly required: () => SandboxMode;
}

/** Lets the user choose what agents are held to in new sessions, within what is required. */
export async function chooseDefaultSandbox(
  { required }: Pick<ChooseNeeds, 'required'>,
  settings: Pick<Settings, 'sandbox' | 'setSandbox'>,
): Promise<void> {
  const current = strictestMode(settings.sandbox, required());
  const items = modesFrom(required()).map((mode) => modeItem(mode, current, l10n.t('The agent')));
  const placeHolder = l10n.t('Select the sandbox of new sessions');
  const mode = (await pickOne(items, { title: l10n.t('Sandbox'), placeHolder }))?.mode;
  if (mode !== undefined && mode !== current) await settings.setSandbox(mode);
}

/** Lets the user choose what the agent of a new session is held to. Resolves to undefined if the user cancels. */
export async function pickSandbox(current: SandboxMode, required: SandboxMode): Promise<SandboxMode | undefined> {
  const items = modesFrom(required).map((mode) => modeItem(mode, current, l10n.t('The agent')));
  const placeHolder = l10n.t('Select the sandbox of the new session');
  return (await pickOne(items, { title: l10n.t('Sandbox'), placeHolder }))?.mode;
}

function modesFrom(least: SandboxMode): readonly SandboxMode[] {
  return sandboxModes.filter((_, index) => index >= sandboxModes.indexOf(least));
}

function modeItem(mode: SandboxMode, current: SandboxMode, agent: string): ModeItem {
  const description = mode === current ? l10n.t('now') : '';
  return { label: sandboxName(mode), description, detail: modeDetail(mode, agent), mode };
}

type ModeItem = vscode.QuickPickItem & { readonly mode?: SandboxMode; readonly passes?: true };

/** Shows what a session's agent is held to, and lets the user change it, which starts the agent again. */
export async function chooseSandbox({ pool, required, settings }: ChooseNeeds, session: Session): Promise<void> {
  const { sandbox: current = 'off', agentName, place, activity } = session.transcript.view;
  const modes = place === 'elsewhere' ? [] : modesFrom(required());
  const policy = pool.sandboxOf(session)?.policy;
  const leftOut = policy?.leftOut ?? [];
  const items: ModeItem[] = [
    ...modes.map((mode) => modeItem(mode, current, agentName)),
    ...(policy
      ? [
          { label: l10n.t('Restrictions'), kind: vscode.QuickPickItemKind.Separator },
          ...policyWords(policy, homedir()).map(({ label, detail }) => ({ label, detail })),
          ...(leftOut.length > 0 ? [{ label: l10n.t('Pass Variables…'), passes: true as const }] : []),
        ]
      : []),
  ];
  const placeHolder =
    place === 'elsewhere'
      ? l10n.t('{0} is on another machine, so it can’t be in a sandbox here', agentName)
      : l10n.t('Select the sandbox of {0} in this session', agentName);
  const { mode, passes } = (await pickOne(items, { title: l10n.t('Sandbox'), placeHolder })) ?? {};
  if (passes === true && !session.isClosed) await passVariables({ pool, settings }, session, leftOut);
  if (mode === undefined || mode === current || session.isClosed) return;
  if (activity.state !== 'idle') {
    const stop = l10n.t('Start Again');
    const words = l10n.t('{0} is working. To change its sandbox, it has to start again.', agentName);
    if ((await askModal(words, { items: [stop] })) !== stop) return;
  }
  pool.changeSandbox(session, mode);
}

function modeDetail(mode: SandboxMode, agent: string): string {
  switch (mode) {
    case 'off':
      return l10n.t('{0} runs with your rights.', agent);
    case 'files':
      return l10n.t('{0} changes only its folders and the session’s, and can’t read secrets.', agent);
    case 'ownCopy':
      return l10n.t('{0} works in its own copy of your files, until you bring its changes here.', agent);
    case 'filesAndNetwork':
      return l10n.t('{0} also reaches only its own servers. Others are asked about in the chat.', agent);
  }
}
