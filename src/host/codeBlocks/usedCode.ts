import type { Session } from '../../session/session';
import type { Review } from '../review/review';

/** The part of the review that code blocks use. */
export type CodeReview = Pick<Review, 'applying' | 'log'>;

/** A code block and its session. */
export interface UsedCode {
  readonly session: Session;
  readonly text: string;
  readonly info: string;
  readonly hints: readonly string[];
}
