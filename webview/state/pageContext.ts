import type { SessionKey } from '../../src/shared/ids';
import type { FromWebview, PageState } from '../../src/shared/messages';
import type { FormMemory } from './memory';
import type { Restores } from './restores';

/** What the parts of the page share: the way to the host, what is shown now, and what the page remembers and says. */
export interface PageContext {
  post(message: FromWebview): void;
  /** The session shown now; empty on the start page. */
  readonly session: SessionKey | '';
  readonly page: PageState;
  /** Which messages the files can go back to, and what is open there. */
  readonly restores: Restores;
  /** What the user typed into forms that are not answered yet. */
  readonly memory: FormMemory;
  /** What the user chose for something foldable of this session; undefined when they chose nothing. */
  isExpanded(key: string): boolean | undefined;
  setExpanded(key: string, open: boolean): void;
  /** Says a sentence politely to screen readers, at most one per 2 s. */
  announce(sentence: string): void;
  /** Says a sentence to screen readers at once, as `role=alert` text outside of every group. */
  alert(sentence: string): void;
}
