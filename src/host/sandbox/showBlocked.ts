import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import type { Blocked, SandboxPolicy } from '../../shared/limits/sandbox';
import type { Session } from '../../session/session';
import { blockedPlace } from '../../sandbox/places/blockedPlace';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { agentWords } from './agentWords';
import { askedSession } from './decideHost';

/** Shows what a sandbox has blocked, in the session that works. */
export function showBlocked(
  sessions: readonly Pick<Session, 'isClosed' | 'transcript' | 'showBlocked' | 'tellAgent' | 'addNotice'>[],
  blocked: Blocked,
  policy: SandboxPolicy,
): void {
  if (blocked.kind === 'lost') {
    const title = l10n.t('The sandbox ended the agent: it can’t hold {0} any more', showHiddenOnOneLine(blocked.path));
    const description = l10n.t(
      'A program outside replaced it, or the agent replaced a link to it. See what it contains before you go on. The agent starts again with your next message.',
    );
    for (const session of sessions)
      if (!session.isClosed) session.addNotice({ severity: 'warning', title, description });
    return;
  }
  const place = blockedPlace(policy, blocked, homedir());
  const session = place && askedSession(sessions);
  if (!session) return;
  session.showBlocked(place);
  session.tellAgent(agentWords(place));
}
