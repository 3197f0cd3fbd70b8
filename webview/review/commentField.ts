import { isComposing } from '../base/composition';

/** What a field for a comment does with the keys. */
export interface CommentField {
  /** The text is on its way to the host, so the field can't be left. */
  readonly isBusy: boolean;
  cancel(): void;
  /** `isSecond` if Ctrl or Cmd was held. */
  submit(isSecond: boolean): void;
}

/** Leaves a comment with Escape and submits it with Enter. Shift+Enter starts a new line. */
export function pressInComment(event: KeyboardEvent, field: CommentField): void {
  if (isComposing(event)) return;
  if (event.key === 'Escape' && !field.isBusy) field.cancel();
  else if (event.key === 'Enter' && !event.shiftKey) field.submit(event.ctrlKey || event.metaKey);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Returns what the user has typed into a comment. */
export function typedComment({ target }: Event): string | undefined {
  return target instanceof HTMLTextAreaElement ? target.value : undefined;
}
