import type { SessionKey } from '../values/ids';
import type { ToolKind } from '../transcript/transcript';

/** A rule's answer. It never chooses an option that applies beyond this request. */
export type RuleAnswer = 'allow_once' | 'reject_once' | 'ask';

/** Where a rule is from, and so how long it lives. */
export type RuleScope =
  /** A file of the machine that only administrators can change. */
  | 'policy'
  | 'session'
  /** Parley's own storage for this workspace, which no file of the workspace can change. */
  | 'workspace'
  /** The settings of the workspace, as far as the user agreed to them. */
  | 'workspaceSettings'
  | 'user';

/** The scopes that the user can choose for a rule in Parley. */
export type ChosenScope = Extract<RuleScope, 'session' | 'workspace' | 'user'>;

/** A rule as `parley.permissions` contains it. */
export interface WrittenRule {
  readonly agent?: string;
  readonly kind?: ToolKind | readonly ToolKind[];
  readonly title?: string;
  readonly command?: string;
  readonly path?: string | readonly string[];
  readonly where?: 'inside' | 'outside';
  readonly mcpServer?: string;
  readonly mcpTool?: string;
  /** For connections of a sandboxed agent, instead of its requests. */
  readonly host?: string;
  readonly answer: RuleAnswer;
}

/** The rules that can be saved for a request, the best first, or why none can. */
export type RuleOffer =
  | { readonly state: 'ready'; readonly rules: readonly WrittenRule[] }
  | { readonly state: 'none'; readonly reason: string };

/** A rule on the page of rules. */
export interface ListedRule {
  /** Depends only on the scope and the contents, so it survives a change of the order. */
  readonly id: string;
  readonly scope: RuleScope;
  /** The session of a rule that ends with it. */
  readonly session?: { readonly key: SessionKey; readonly title: string };
  /** Absent if the rule can't be read. */
  readonly rule?: WrittenRule;
  /** The rule as text, and what is wrong with it. */
  readonly problem?: { readonly text: string; readonly sentence: string };
  /** When it last answered, in milliseconds, and which agent's request. Never the request's contents. */
  readonly lastAnswer?: { readonly at: number; readonly agent: string; readonly kind: ToolKind };
}

/** What the page of rules shows. */
export interface RulesShown {
  readonly rules: readonly ListedRule[];
  /** Sentences above the list, such as what the organization forbids. */
  readonly notes: readonly string[];
  /** The session that a new rule can be for. */
  readonly session?: { readonly key: SessionKey; readonly title: string };
  /** Whether the last deletion can be undone. */
  readonly canUndo: boolean;
  readonly locale: string;
}

/** Messages from the extension host to the page of rules. */
export type ToRulesPage =
  | { readonly type: 'rules'; readonly shown: RulesShown }
  /** Focuses a rule, if it still exists. */
  | { readonly type: 'focusRule'; readonly id: string }
  /** Response to `saveRule`; without a sentence, the rule is saved. `id` is the edited rule, or empty. */
  | { readonly type: 'ruleSaved'; readonly id: string; readonly problem?: string };

/** Messages from the page of rules to the extension host. */
export type FromRulesPage =
  /** Saves a new rule (with an empty `id`) or a changed one. */
  | { readonly type: 'saveRule'; readonly id: string; readonly scope: ChosenScope; readonly rule: WrittenRule }
  | { readonly type: 'deleteRule'; readonly id: string }
  | { readonly type: 'undoDelete' }
  | { readonly type: 'moveRule'; readonly id: string; readonly by: -1 | 1 }
  /** Opens the settings that contain the rule. */
  | { readonly type: 'openSettings'; readonly scope: RuleScope };
