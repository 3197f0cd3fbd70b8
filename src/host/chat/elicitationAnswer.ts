import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { ElicitationAnswer } from '../../shared/elicitation';
import type { RequestKey } from '../../shared/ids';

/** Gives an agent the user's answer. An address is opened first: if VS Code or the user stops that, nothing was agreed to. */
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
    // As a string: a `Uri` would write the address anew, and logins fail when what is escaped in it changes.
    return await vscode.env.openExternal(address as unknown as vscode.Uri);
  } catch {
    // The page says that it was not opened; there is nothing more to know.
    return false;
  }
}
