import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { allowablePlaces } from '../../sandbox/places/allowedPlaces';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import type { Settings } from '../settings/settings';
import type { ReadSettings } from '../settings/settingTable';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

export interface AllowNeeds {
  readonly pool: Pick<AgentPool, 'changeSandbox'>;
  readonly settings: Pick<Settings, 'setSandboxFolders'> & ReadSettings<'sandboxFolders'>;
}

/** Lets the user allow a path that a sandbox has blocked, from the agent's next start on. */
export async function allowBlocked({ pool, settings }: AllowNeeds, session: Session, path: string): Promise<void> {
  const home = homedir();
  const places = allowablePlaces(path, home);
  if (places.length === 0) {
    const words = l10n.t(
      'The sandbox can’t allow {0}: it doesn’t exist, or it would be most of your files.',
      showHiddenOnOneLine(path),
    );
    void showInformation(words);
    return;
  }
  const items = places.map((place) => ({
    label: showHiddenOnOneLine(place.startsWith(`${home}/`) ? `~${place.slice(home.length)}` : place),
    place,
  }));
  const title = l10n.t('Allow changes in every sandbox');
  const placeHolder = l10n.t('Select what sandboxed agents can change from their next start on');
  const place = (await pickOne(items, { title, placeHolder }))?.place;
  if (place === undefined) return;
  const sandboxFolders = settings.get('sandboxFolders');
  if (!sandboxFolders.includes(place)) await settings.setSandboxFolders([...sandboxFolders, place]);
  const { agentName, sandbox = 'off' } = session.transcript.view;
  const again = l10n.t('Start Again');
  const words = l10n.t('{0} can change {1} once it has started again.', agentName, showHiddenOnOneLine(place));
  if ((await showInformation(words, again)) === again && !session.isClosed) pool.changeSandbox(session, sandbox);
}
