import type { SessionUpdate } from './sessionUpdate';

/** The kind of an update as agents send it. Version 1 has two more than `SessionUpdate`. */
export type UpdateName = SessionUpdate['sessionUpdate'] | 'tool_call' | 'plan';

interface UpdateKind {
  /**
   * What a replay says with it. Messages and steps are history: whoever has the transcript has them already. A subagent
   * is history, too, unless it runs. Everything else is how the session is now.
   */
  readonly part: 'message' | 'step' | 'subagent' | 'state';
  /**
   * Whether a message without an id ends before it, because it is an entry itself. `byId`: that depends on its id, so each
   * version decides.
   */
  readonly breaksText: boolean | 'byId';
  /** Whether the transcript shows it if it's from a subagent's session. Otherwise, it's about that session itself. */
  readonly isShownOfSubagent: boolean;
}

const words = { part: 'message', breaksText: 'byId', isShownOfSubagent: true } as const;
const toSubagent = { part: 'message', breaksText: 'byId', isShownOfSubagent: false } as const;
const state = { part: 'state', breaksText: false, isShownOfSubagent: false } as const;
const ofCall = { part: 'step', breaksText: 'byId', isShownOfSubagent: true } as const;
/** A change of what is an entry already, or of what is outside the entries. */
const change = { part: 'step', breaksText: false, isShownOfSubagent: true } as const;
const entry = { part: 'step', breaksText: true, isShownOfSubagent: true } as const;

/** What each kind of update means for whoever passes it on. A missing kind is a type error. */
export const updateKinds = {
  user_message_chunk: toSubagent,
  user_message: toSubagent,
  agent_message_chunk: words,
  agent_message: words,
  agent_thought_chunk: { ...words, part: 'step' },
  agent_thought: { ...words, part: 'step' },
  tool_call: ofCall,
  tool_call_update: ofCall,
  tool_call_content_chunk: ofCall,
  terminal_update: change,
  terminal_output_chunk: change,
  plan: entry,
  plan_update: entry,
  plan_removed: change,
  notice: entry,
  compaction_update: entry,
  compaction_summary_chunk: change,
  subagent_update: { part: 'subagent', breaksText: false, isShownOfSubagent: true },
  available_commands_update: state,
  config_option_update: state,
  current_mode_update: state,
  session_info_update: state,
  usage_update: state,
  state_update: state,
  prompt_suggestions_update: state,
  /** It has no effect, so it may pass. */
  unknown: { part: 'state', breaksText: false, isShownOfSubagent: true },
} as const satisfies Record<UpdateName, UpdateKind>;

/** Returns what an update means as its agent sent it; undefined if no version has its kind. */
export function kindOfUpdate(name: unknown): UpdateKind | undefined {
  return typeof name === 'string' && Object.hasOwn(updateKinds, name) ? updateKinds[name as UpdateName] : undefined;
}

type ShownName = { [Name in UpdateName]: (typeof updateKinds)[Name]['isShownOfSubagent'] extends true ? Name : never };

/** An update of a subagent's session that the transcript shows. */
export type ShownOfSubagent = SessionUpdate & { readonly sessionUpdate: ShownName[UpdateName] };

/** Returns whether the transcript shows an update of a subagent's session. */
export function isShownOfSubagent(update: SessionUpdate): update is ShownOfSubagent {
  return updateKinds[update.sessionUpdate].isShownOfSubagent;
}
