import type { ReviewLog } from '../../review/reviewLog';
import type { BaseBytes } from './baseBytes';
import { covers } from './userMoves';

/** The user gave a file or folder another name: what waits for review there goes along, and the new name is accepted. */
export function moveReviewed(log: ReviewLog, bases: BaseBytes, from: string, to: string): void {
  for (const uri of log.pending.filter((one) => covers(from, one))) {
    const target = to + uri.slice(from.length);
    bases.rename(uri, target);
    log.rename(uri, target, { kind: 'user' });
  }
}
