import type { FromWebview } from '../../shared/messages';

/** What a chat page asks for, beside what `ChatPage` serves itself: its own state. */
export type Intent = Exclude<
  FromWebview,
  { readonly type: 'ready' | 'selectSession' | 'fetchOlder' | 'fetchSnapshot' }
>;
export type IntentType = Intent['type'];
export type IntentOf<T extends IntentType> = Extract<Intent, { readonly type: T }>;
