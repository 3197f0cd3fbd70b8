import { fileOfSide } from '../../../review/files/diskSide';
import type { ReviewLog } from '../../../review/log/reviewLog';
import type { BaseBytes } from '../stored/baseBytes';
import { covers } from './userMoves';

/** Moves the review of a file or folder that the user renamed. The new name counts as kept, unless an agent had renamed the file. */
export function moveReviewed(log: ReviewLog, bases: BaseBytes, from: string, to: string): void {
  for (const uri of log.uris.filter((one) => covers(from, fileOfSide(one)))) {
    const target = to + uri.slice(from.length);
    bases.rename(uri, target);
    log.rename(uri, target, { kind: 'user' });
  }
}
