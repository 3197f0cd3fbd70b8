import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import { showInformation } from '../ui/notifications';
import { pickMany } from '../ui/quickInput';

export interface PassNeeds {
  readonly pool: Pick<AgentPool, 'changeSandbox'>;
  readonly settings: Pick<Settings, 'setSandboxEnvironment'> & ReadSettings<'sandboxEnvironment'>;
}

/** Lets the user pass variables that a sandbox left out, by their names, from the agent's next start on. */
export async function passVariables(
  { pool, settings }: PassNeeds,
  session: Session,
  leftOut: readonly string[],
): Promise<void> {
  const items = leftOut.map((name) => ({ label: showHiddenOnOneLine(name), name }));
  const title = l10n.t('Pass variables to every sandbox');
  const placeHolder = l10n.t('Select the variables that sandboxed agents get from their next start on');
  const names = (await pickMany(items, { title, placeHolder }))?.map(({ name }) => name) ?? [];
  if (names.length === 0) return;
  await settings.setSandboxEnvironment([...new Set([...settings.get('sandboxEnvironment'), ...names])]);
  const { agentName, sandbox = 'off' } = session.transcript.view;
  const again = l10n.t('Start Again');
  const words = l10n.t('{0} gets them once it has started again.', agentName);
  if ((await showInformation(words, again)) === again && !session.isClosed) pool.changeSandbox(session, sandbox);
}
