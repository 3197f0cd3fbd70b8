import type { Session } from '../../session/session';
import type { ElicitationAnswer } from '../../shared/forms/elicitation';
import type { RequestKey } from '../../shared/values/ids';
import { openOutside } from '../ui/openOutside';

/**
 * Sends the user's answer to the agent. Opens an address first: if VS Code or the user prevents that, the answer isn't
 * "accept".
 */
export async function answerElicitation(
  { elicitations }: Pick<Session, 'elicitations'>,
  request: RequestKey,
  answer: ElicitationAnswer,
): Promise<void> {
  const address = elicitations.addressOf(request);
  if (answer.action === 'accept' && address !== undefined && !(await openOutside(address))) {
    elicitations.refuse(request, 'notOpened');
    return;
  }
  elicitations.answer(request, answer);
}
