import * as l10n from '@vscode/l10n';
import type { AgentPool } from '../../agent/pool/agentPool';
import type { Session } from '../../session/session';
import { longestGoal } from '../../shared/transcript/goal';
import { messageOf } from '../../shared/values/messageOf';
import { showInformation, showWarning } from '../ui/notifications';
import { askText } from '../ui/quickInput';

type GoalPool = Pick<AgentPool, 'runningAgentOf'>;

/** Asks the user for a goal, and sets it. */
export async function askGoal(pool: GoalPool, session: Session): Promise<void> {
  const { agentName, goal, canSetGoal } = session.transcript.view;
  if (!canSetGoal) {
    void showInformation(l10n.t('{0} doesn’t support goals.', agentName));
    return;
  }
  const text = await askText({
    title: l10n.t('Set goal'),
    prompt: l10n.t('{0} works until the goal is reached.', agentName),
    placeHolder: l10n.t('Describe when the work is done'),
    value: goal && goal !== 'none' ? goal.objective : '',
    ignoreFocusOut: true,
    validateInput: (typed) =>
      typed.length > longestGoal ? l10n.t('Enter at most {0} characters.', longestGoal) : undefined,
  });
  const objective = text?.trim() ?? '';
  if (objective !== '' && objective !== 'clear') await setGoal(pool, session, objective);
}

/**
 * Sets a goal. It's an ordinary message while the agent is idle, so that its turn can be seen and stopped like others.
 * During a turn, the agent is told of it.
 */
export async function setGoal(pool: GoalPool, session: Session, objective: string): Promise<void> {
  const { activity } = session.transcript.view;
  if (activity.state === 'idle') session.sendPrompt(`/goal ${objective}`);
  else if (await tell(pool, session, { action: 'set', objective })) session.agentSide.showGoal({ objective });
}

/** Clears the goal. An agent that can't be asked has none. */
export async function clearGoal(pool: GoalPool, session: Session): Promise<void> {
  if (await tell(pool, session, { action: 'clear' })) session.agentSide.showGoal('none');
}

async function tell(pool: GoalPool, session: Session, params: object): Promise<boolean> {
  const vendor = pool.runningAgentOf(session)?.vendor;
  const { sessionId, agentName } = session.transcript.view;
  if (!vendor?.offers('goal')) {
    session.agentSide.showGoal('none');
    return false;
  }
  try {
    const isDone = await vendor.ask('goal', { sessionId, ...params });
    if (!isDone) session.agentSide.forgetGoals();
    return isDone !== undefined;
  } catch (error) {
    void showWarning(l10n.t('{0} couldn’t change the goal: {1}', agentName, messageOf(error)));
    return false;
  }
}
