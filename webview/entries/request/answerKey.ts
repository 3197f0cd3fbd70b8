import type { PermissionOption } from '../../../src/shared/transcript/transcript';
import { keyLabel } from '../../base/keyLabel';

/** The keys that answer a request from the message. On macOS, Cmd takes the place of Ctrl. */
export const allowKey = 'Ctrl+Enter';
export const rejectKey = 'Ctrl+Backspace';
/** The key that rejects a request and sends what is typed to the agent. */
export const replyKey = 'Ctrl+Shift+Enter';

/** Returns the option that a key presses: one that counts once comes before one that counts always. */
export function answerOf(
  options: readonly PermissionOption[],
  answer: 'allow' | 'reject',
): PermissionOption | undefined {
  return (
    options.find(({ kind }) => kind === `${answer}_once`) ?? options.find(({ kind }) => kind === `${answer}_always`)
  );
}

/** Returns the answer that a pressed key stands for. */
export function chordOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  isMac = isOnMac(),
): 'allow' | 'reject' | undefined {
  const isHeld = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (!isHeld || event.altKey || event.shiftKey) return undefined;
  if (event.key === 'Enter') return 'allow';
  return event.key === 'Backspace' ? 'reject' : undefined;
}

/** Returns whether a pressed key rejects a request and sends the message. */
export function isReplyChord(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
  isMac = isOnMac(),
): boolean {
  const isHeld = isMac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return isHeld && event.shiftKey && !event.altKey && event.key === 'Enter';
}

/** Returns a key as the user's keyboard labels it. */
export function chordLabel(key: string): string {
  return keyLabel(key, isOnMac());
}

function isOnMac(): boolean {
  return navigator.userAgent.includes('Mac');
}
