import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { ElicitationAnswer } from '../../shared/elicitation';
import type { RequestKey } from '../../shared/ids';

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

async function openOutside(address: string): Promise<boolean> {
  try {
    // Passed as a string, because a `Uri` would re-encode the address, and logins fail if its escapes change.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch {
    // The page reports that the address wasn't opened, so the error isn't needed.
    return false;
  }
}
