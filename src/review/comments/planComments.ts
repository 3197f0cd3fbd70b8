import { inFence } from '../../shared/text/codeFence';
import { diffText } from '../../shared/diff/diffText';
import { diffLines } from '../../shared/diff/lineDiff';
import { linePairs } from '../../shared/diff/linePairs';
import { isSameButLineBreaks, splitLines } from '../lines/lines';

/** The user's comment on a line of a plan. Lines count from 0. */
export interface PlanComment {
  readonly id: string;
  readonly line: number;
  /** The line as it was when the user commented on it. */
  readonly quote: string;
  readonly text: string;
  readonly isSent: boolean;
}

/** Returns the comments at their places in another version of a plan. */
export function movedComments(comments: readonly PlanComment[], from: string, to: string): readonly PlanComment[] {
  const [before, after] = [splitLines(from), splitLines(to)];
  const hunks = diffLines(before, after);
  const last = after.length - 1;
  return comments.map((comment) => {
    let { line } = comment;
    for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
      if (comment.line >= oldEnd) line = comment.line + newEnd - oldEnd;
      else if (comment.line >= oldStart) {
        // A line that was changed is where its new text is.
        const pairs = linePairs(before.slice(oldStart, oldEnd), after.slice(newStart, newEnd));
        line = newStart + (pairs.get(comment.line - oldStart) ?? 0);
      }
    }
    return { ...comment, line: Math.max(0, Math.min(line, last)) };
  });
}

/** Returns the message about a plan: what the user changed in it, and the comments that weren't sent yet, each with its line. */
export function planPrompt(
  plan: { readonly agents: string; readonly mine: string; readonly comments: readonly PlanComment[] },
  isApproved: boolean,
): string {
  const { agents, mine } = plan;
  const comments = plan.comments.filter(({ isSent }) => !isSent);
  const isEdited = !isSameButLineBreaks(agents, mine);
  const parts = [
    isApproved
      ? 'I approve the plan with the changes below. Follow it with them.'
      : "I don't approve the plan yet. Change it as follows, and then ask again.",
  ];
  if (isEdited)
    parts.push('This is the difference between your plan and mine:', inFence(diffText(agents, mine), 'diff'));
  if (comments.length > 0) parts.push(comments.length === 1 ? 'My comment:' : `My ${comments.length} comments:`);
  for (const { line, quote, text } of comments) {
    parts.push(`Line ${line + 1}:\n> ${quote.trim()}\n\n${text.trim()}`);
  }
  return parts.join('\n\n');
}
