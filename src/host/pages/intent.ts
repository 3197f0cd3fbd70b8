import type { FromWebview } from '../../shared/pages/messages';

/** A chat page's request, except those about the page's own state, which `ChatPage` handles. */
export type Intent = Exclude<
  FromWebview,
  { readonly type: 'ready' | 'focusChanged' | 'selectSession' | 'fetchOlder' | 'fetchSnapshot' }
>;
export type IntentType = Intent['type'];
export type IntentOf<T extends IntentType> = Extract<Intent, { readonly type: T }>;
