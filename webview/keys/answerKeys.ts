import { Disposable, toDisposable } from '../../src/shared/values/disposable';
import { isComposing } from '../base/composition';

/** Where keys are text or have a meaning of their own. */
const fields = 'input, textarea, select, [contenteditable], [role=combobox], vscode-dropdown, .pl-find, dialog[open]';

/** What the keys need from the page. */
export interface AnswerTarget {
  /** Whether a key in a field can't be part of a text: nothing is typed, and nothing was a moment ago, or the key is for requests alone. */
  isFree(event: KeyboardEvent, field: Element): boolean;
  /** Answers the request that has the keys. */
  answer(event: KeyboardEvent, isInMessage: boolean): void;
}

/** Lets keys answer a request in sight, from everywhere on the page where they aren't text. */
export class AnswerKeys extends Disposable {
  constructor(target: AnswerTarget) {
    super();
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isComposing(event) || document.querySelector('dialog[open]') !== null) return;
      const field = event.target instanceof Element ? event.target.closest(fields) : null;
      if (field && !target.isFree(event, field)) return;
      target.answer(event, field !== null);
    };
    document.addEventListener('keydown', onKey);
    this.register(toDisposable(() => document.removeEventListener('keydown', onKey)));
  }
}
