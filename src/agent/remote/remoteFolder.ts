import * as l10n from '@vscode/l10n';
import type { AgentCapabilities } from '../../acp/decode/decodeAgent';
import type { NoticeText } from '../../session/session';
import type { AgentPlace } from '../../shared/transcript/transcript';
import type { AgentSpec } from '../spec/agentSpec';
import { hostOf } from './linkWords';
import { isExposed } from './remoteTarget';

/** Returns whether an agent's paths mean files of another machine. */
export function isElsewhere({ url, sharesFiles }: Pick<AgentSpec, 'url' | 'sharesFiles'>): boolean {
  return url !== undefined && sharesFiles !== true;
}

/** Returns where an agent is. */
export function placeOf(spec: Pick<AgentSpec, 'url' | 'sharesFiles'>): AgentPlace {
  if (spec.url === undefined) return 'here';
  return isElsewhere(spec) ? 'elsewhere' : 'shared';
}

/** Returns a session's folder as the agent knows it. */
export function folderOn(spec: AgentSpec, cwd: string): string {
  return spec.url !== undefined && spec.cwd !== undefined ? spec.cwd : cwd;
}

/** Returns what the user should know about a remote agent before anything is sent to it. */
export function remoteNotices(
  spec: AgentSpec,
  can: Pick<AgentCapabilities, 'embeddedContext'> | undefined,
): readonly NoticeText[] {
  const { name, url } = spec;
  if (url === undefined) return [];
  const notices: NoticeText[] = [];
  if (isExposed(url)) {
    notices.push({
      severity: 'warning',
      title: l10n.t('The connection to {0} isn’t encrypted', name),
      description: l10n.t(
        'Others on the network can read and change everything sent to {0}, including tokens. Use https or wss.',
        hostOf(url),
      ),
    });
  }
  if (isElsewhere(spec)) {
    notices.push({
      severity: 'info',
      title: l10n.t('{0} works with files on another machine', name),
      description: l10n.t(
        'Its changes can’t be reviewed, undone, or restored here, and its links may not open. If both machines have the same files at the same paths, set “sharesFiles” in parley.agents.',
      ),
    });
  }
  if (isElsewhere(spec) && can?.embeddedContext !== true) {
    notices.push({
      severity: 'warning',
      title: l10n.t('{0} can’t receive files', name),
      description: l10n.t('Attached files are sent as links, which it can’t open. Paste their text instead.'),
    });
  }
  return notices;
}
