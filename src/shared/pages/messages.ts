import type { SandboxMode } from '../limits/sandboxMode';
import type { Aside } from './aside';
import type { AgentStats, ContextParts } from '../amounts/contextParts';
import type { UsageLimit } from '../amounts/usageLimit';
import type { ElicitationAnswer } from '../forms/elicitation';
import type { AgentId, EntryId, RequestKey, SessionId, SessionKey, TerminalId, ToolCallId } from '../values/ids';
import type { Attachment, SavableBlock } from '../transcript/content';
import type { Freedom } from '../limits/freedom';
import type { FindQuery, FoundEntry } from './findQuery';
import type { RedoOffer, ReviewFile, ReviewScope, RestorePreview } from '../changes/review';
import type { TranscriptOp, TranscriptSnapshot } from '../transcript/ops';
import type { AgentListEnd, FoundSession, RowChange, SessionRow } from './sessionRows';
import type { RecentRows } from './recentRows';
import type { StartChoice, StartPlaces } from './startChoice';
import type { PromptListing } from './prompts';
import type { ChosenScope, RuleOffer, WrittenRule } from '../permissions/permissionRules';
import type { Entry, ErrorAction, Prompt } from '../transcript/transcript';
import type { UsageLine } from './usagePage';

/** An agent that the user can start. */
export interface AgentListing {
  readonly agentId: AgentId;
  readonly name: string;
  /** One line below the name: a command line, or the agent's purpose. */
  readonly detail: string;
  readonly source: 'settings' | 'builtin' | 'registry';
  /** The logged-in account, while the agent is running and reports it; never stored. */
  readonly account?: string;
  /** The limit of its provider that is used up first, as the agent reported it last. */
  readonly limit?: UsageLimit;
  /** It opens no session before a login. */
  readonly needsLogin?: true;
  /** A newer version that the user can install. */
  readonly update?: string;
  /** The update is being installed right now. */
  readonly isBusy?: true;
  /** A picture in one color as a data URL. */
  readonly icon?: string;
}

/** A preset that the user can start. */
export interface PresetListing {
  readonly name: string;
  readonly agentId: AgentId;
  /** One line below the name: the agent, the model, and what else it sets. */
  readonly detail: string;
  /** A new session gets it if the user chooses nothing. */
  readonly isDefault?: true;
}

/** An agent that the user can add with one click. */
export interface AgentOffer {
  /** Its id in the registry. */
  readonly id: string;
  readonly name: string;
  /** One line below the name: a command, a description, or what is missing. */
  readonly detail: string;
  /** `found`: its program is on this machine. `available`: it is downloaded. */
  readonly kind: 'found' | 'available';
  /** It is being added right now. */
  readonly isBusy?: true;
  /** Why it couldn't be added, in a sentence. */
  readonly problem?: string;
  /** What the user must install first. */
  readonly needs?: 'Node.js' | 'uv';
  /** A picture in one color as a data URL. */
  readonly icon?: string;
}

/** An open session, as shown in tabs and pickers. */
export interface SessionListing {
  readonly session: SessionKey;
  readonly title: string;
  readonly agentName: string;
  readonly state: 'starting' | 'idle' | 'running' | 'requires_action' | 'closed';
  /** What the user allowed in this session without being asked. */
  readonly freedom?: Freedom;
  /** True if the agent gets links to attached files instead of their text. */
  readonly takesLinks?: true;
  /** Where it works. */
  readonly folder?: SessionFolder;
}

/** What a session works on. */
export interface SessionFolder {
  /** The folder's name. */
  readonly name: string;
  readonly path: string;
  /** Whether it is the folder for new sessions. */
  readonly isHere?: boolean;
  /** The branch that is checked out there. */
  readonly branch?: string;
  /** True for a worktree besides the repository's first one. */
  readonly isWorktree?: true;
  /** True for an agent's own copy of the user's files. */
  readonly isCopy?: true;
  /** True if what is changed there can be brought into this window's folders. */
  readonly canBring?: true;
  /** True if another agent can review everything that was changed there: it is a worktree of Parley's. */
  readonly canReview?: true;
  /** The computer of a remote agent that has its own files, or of a remote window. */
  readonly host?: string;
}

/** What the user can do with the folder of a session. */
export type FolderAction =
  | 'open'
  | 'terminal'
  | 'copyPath'
  | 'bringChanges'
  | 'mergeBranch'
  | 'fetchBranch'
  | 'commit'
  | 'moveToWorktree'
  | 'discardWorktree';

/** The kinds of things that a message can mention, as typed between `@` and a colon. */
export const mentionKinds = [
  'file',
  'folder',
  'symbol',
  'problem',
  'change',
  'commit',
  'terminal',
  'session',
  'link',
] as const;
export type MentionKind = (typeof mentionKinds)[number];
export type MentionGroup = 'recent' | 'path' | 'kinds' | MentionKind;

/** Something that a message can mention, as an option after `@`. */
export interface Mention {
  /** Identifies the option in answers to the host. */
  readonly id: string;
  readonly kind: MentionKind;
  /** The heading above the option: open and recent files, files and folders, a kind, or the kinds to choose from. */
  readonly group: MentionGroup;
  readonly label: string;
  /** The text that is inserted after `@`, if it isn't the label. If empty, the `@` is removed and only the attachment stays. */
  readonly insert?: string;
  /** Whether the word goes on after choosing it, because it's a kind and not yet a thing. */
  readonly continues?: true;
  /** Where it is, or what else is known about it. */
  readonly detail: string;
  /** The name of a codicon. */
  readonly icon: string;
  /** The positions of the typed letters in the label. */
  readonly letters?: readonly number[];
  /** What is attached, if the host doesn't have to be asked for it. */
  readonly attachment?: Attachment;
}

/** A path from an agent's text that is a file, with its absolute path. */
export interface FoundPath {
  readonly path: string;
  readonly file: string;
}

/** The file in the active editor, or the selected lines, which the composer offers as an attachment. */
export interface FollowedFile {
  /** With the selected lines, if there are any. */
  readonly uri: string;
  readonly name: string;
  /** Why the file is sent only if the user asks for it. Absent if it's sent unless the user turns it off. */
  readonly withheld?: 'outside' | 'ignored' | 'secret';
}

/** What the user does with an agent's code, besides copying and inserting it. */
export type CodeAction = 'apply' | 'create' | 'run';

/** The user's change to a waiting message. Positions start at 0. */
export type QueueChange =
  | { readonly kind: 'move'; readonly to: number }
  /** `stopAndSend` stops the running turn to send the message; `steer` adds the message to that turn. */
  | { readonly kind: 'remove' | 'steer' | 'stopAndSend' };

/** How much of agents' tool calls and thoughts the transcript shows. */
export type ToolDetail = 'compact' | 'normal' | 'everything';

/** All levels of tool detail, in the order in which a command switches between them. */
export const toolDetails: readonly ToolDetail[] = ['compact', 'normal', 'everything'];

/** What agents are held to in new sessions. */
export interface DefaultSandboxState {
  readonly mode: SandboxMode;
  /** What is missing for it on this machine, as a sentence. */
  readonly problem?: string;
  /** The command line that gets what is missing. */
  readonly line?: string;
}

/** The page's state besides the transcript; small and always sent as a whole. */
export interface PageState {
  readonly trusted: boolean;
  /** Name of the folder for new sessions; empty if no folder is open. */
  readonly folder: string;
  /** Whether that folder is in a Git repository. */
  readonly isInRepository?: true;
  readonly agents: readonly AgentListing[];
  /** The agents to add; absent until `findAgents` was answered. */
  readonly offers?: readonly AgentOffer[];
  /** How many agents there are to add; absent like `offers`. */
  readonly agentCount?: number;
  /** The presets of these agents; absent if there are none. */
  readonly presets?: readonly PresetListing[];
  readonly defaultAgent: AgentId;
  /** What agents are held to in new sessions. */
  readonly sandbox: DefaultSandboxState;
  readonly sessions: readonly SessionListing[];
  /** The session shown on this page; empty on the start page. */
  readonly active: SessionKey | '';
  /** Whether the page is in the side bar view or in an editor tab. */
  readonly host: 'view' | 'editor';
  readonly toolDetail: ToolDetail;
  /** A pasted text with more lines is attached to the message; 0 for none. */
  readonly longPasteLines: number;
  /** The user doesn't want to see what agents suggest to say next. */
  readonly hidesSuggestions?: true;
  /** BCP 47 language tag for numbers and times. */
  readonly locale: string;
}

/** The files that a turn changed, whether its tool calls show it or not. */
export interface TurnFiles {
  readonly turn: number;
  readonly count: number;
  /** The absolute paths of the first of them. */
  readonly paths: readonly string[];
}

/** Messages from the extension host to the chat page. */
export type ToWebview =
  /** Response to `fetchUsage`: what the session used, and what its agent used today. */
  | {
      readonly type: 'usageOf';
      readonly session: SessionKey;
      readonly lines: { readonly session: UsageLine; readonly today: UsageLine };
    }
  /** Response to `fetchAside`, and sent when a question aside changes. Absent: there's none, or no longer. */
  | { readonly type: 'asideOf'; readonly session: SessionKey; readonly aside?: Aside }
  /** Response to `fetchContext`: what the agent itself says about the session. Not sent if it can't be asked. */
  | {
      readonly type: 'contextOf';
      readonly session: SessionKey;
      readonly context?: ContextParts;
      readonly stats?: AgentStats;
    }
  /** Response to `ready`, and sent again whenever something in it changes. */
  | { readonly type: 'page'; readonly page: PageState }
  /** The whole session: sent after `ready`, after a switch of session, and after a gap in revisions. */
  | { readonly type: 'snapshot'; readonly session: SessionKey; readonly snapshot: TranscriptSnapshot }
  /** Changes that lead from revision `from` to revision `to`. */
  | {
      readonly type: 'ops';
      readonly session: SessionKey;
      readonly from: number;
      readonly to: number;
      readonly ops: readonly TranscriptOp[];
    }
  /** Older entries requested by `fetchOlder`, oldest first. `omitted` is the number of entries still left out. */
  | {
      readonly type: 'older';
      readonly session: SessionKey;
      readonly entries: readonly Entry[];
      readonly omitted: number;
    }
  /** A session's files with pending changes, sent as a whole when something in it changes. */
  | {
      readonly type: 'changes';
      readonly session: SessionKey;
      readonly files: readonly ReviewFile[];
      /** Since when the last turn's changes are known, in milliseconds since the epoch, if it began earlier. */
      readonly recordedFrom?: number;
      readonly redo?: RedoOffer;
    }
  /** The number of problems that the last turn caused. Some of them are errors. */
  | {
      readonly type: 'newProblems';
      readonly session: SessionKey;
      readonly count: number;
      readonly errors: number;
    }
  /** Whether the editor follows the session, and whether the agent has been elsewhere before and after what is shown. */
  | {
      readonly type: 'following';
      readonly session: SessionKey;
      readonly isOn: boolean;
      readonly canGoBack: boolean;
      readonly canGoForward: boolean;
    }
  /** How long the computer was asleep, in milliseconds. That time doesn't count as silence of an agent. */
  | { readonly type: 'slept'; readonly ms: number }
  /** How many files and folders of this window can't be undone that the user hasn't seen listed, and the name of one. */
  | { readonly type: 'unprotected'; readonly session: SessionKey; readonly count: number; readonly first: string }
  /** A session's user messages that have restorable files, sent as a whole when that changes. */
  | {
      readonly type: 'checkpoints';
      readonly session: SessionKey;
      readonly entries: readonly EntryId[];
      /** What turns changed beside what their tool calls show. */
      readonly changed: readonly TurnFiles[];
    }
  /**
   * Response to `previewRestore`, and to `restore` if there is something that the user hasn't seen; nothing is written
   * then.
   */
  | { readonly type: 'restorePreview'; readonly session: SessionKey; readonly preview: RestorePreview }
  /** Response to a `restore` that finished or failed, as a sentence; the transcript has a notice. */
  | {
      readonly type: 'restored';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly sentence: string;
    }
  /** Response to `offerRules`. */
  | { readonly type: 'ruleOffer'; readonly request: RequestKey; readonly offer: RuleOffer }
  /** Response to `saveRule` if the rule can't be saved. */
  | { readonly type: 'ruleProblem'; readonly request: RequestKey; readonly sentence: string }
  /** Sends what is typed on the page as the first message of a session that was started with it. */
  | { readonly type: 'sendTyped'; readonly session: SessionKey }
  /** A session or tries were started with what was typed, which is sent. It was typed in `session`, or on the start page. */
  | { readonly type: 'typedSent'; readonly session: SessionKey | ''; readonly text: string }
  /** Nothing was started with what is typed: why, as a sentence. Absent if the user knows. */
  | { readonly type: 'startFailed'; readonly session: SessionKey | ''; readonly problem?: string }
  /** Response to `findPlaces`, and sent when one of them changes. */
  | { readonly type: 'startPlaces'; readonly session: SessionKey | ''; readonly places: StartPlaces }
  /** Tries were started with what is typed, so it is sent. */
  | { readonly type: 'triesStarted'; readonly text: string }
  /** Opens the list of sessions. */
  | { readonly type: 'showSessions' }
  /** Closes the list of sessions if it is over the session, which the user wants to see. */
  | { readonly type: 'uncoverSession' }
  /** Response to `watchSessions`: all sessions, what follows them, and how many the user can bring back. */
  | {
      readonly type: 'sessions';
      readonly rows: readonly SessionRow[];
      readonly ends: readonly AgentListEnd[];
      readonly deleted: number;
    }
  /** Response to `watchRecent`, and sent when one of them changes: sessions that wait for the user, and those used last. */
  | ({ readonly type: 'recentSessions' } & RecentRows)
  /** The rows that are new or changed since the last message, and the ids of those that no longer exist. */
  | {
      readonly type: 'sessionsChanged';
      readonly rows: readonly SessionRow[];
      readonly removed: readonly string[];
      readonly ends: readonly AgentListEnd[];
      readonly deleted: number;
    }
  /** Response to `searchSessions`: the sessions in which the words were said, the newest first. */
  | { readonly type: 'foundSessions'; readonly text: string; readonly found: readonly FoundSession[] }
  /** Focuses the composer. If the composer is empty, `draft` becomes its text. */
  | { readonly type: 'focusComposer'; readonly draft?: string }
  /** Focuses the oldest open request (its group, never an option). */
  | { readonly type: 'focusRequest' }
  /** Plays the sound of a notification, if the browser lets the page. */
  | { readonly type: 'playSound' }
  /** Shows a notification of the operating system, if the browser lets the page. `notificationShown` is the answer. */
  | { readonly type: 'notify'; readonly id: string; readonly title: string; readonly body: string }
  /** Closes that notification. */
  | { readonly type: 'withdrawNotification'; readonly id: string }
  /**
   * Goes to a message of the user and opens its form. With `keepsFiles`, the edited message is sent without restoring
   * files.
   */
  | {
      readonly type: 'openRestore';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly mode: 'edit' | 'restore';
      readonly keepsFiles?: true;
    }
  /** Scrolls to this entry and focuses it. A preview leaves the focus alone. */
  | { readonly type: 'revealEntry'; readonly session: SessionKey; readonly entry: EntryId; readonly isPreview?: true }
  /** Returns to where the reader was before the first preview. */
  | { readonly type: 'endPreview'; readonly session: SessionKey }
  /** Opens the find widget. */
  | { readonly type: 'openFind' }
  /** Goes to the next or the previous turn. */
  | { readonly type: 'stepTurn'; readonly by: 1 | -1 }
  /** Response to `findInSession`: the entries with matches, in order. Absent if the pattern is invalid. */
  | {
      readonly type: 'foundInSession';
      readonly session: SessionKey;
      readonly id: number;
      readonly found?: readonly FoundEntry[];
    }
  /** Response to `findPaths`: which of the asked paths are files. */
  | {
      readonly type: 'foundPaths';
      readonly session: SessionKey;
      readonly asked: readonly string[];
      readonly found: readonly FoundPath[];
    }
  /** Files with these names were created, so paths that weren't files may be now. Absent: too many to list. */
  | { readonly type: 'filesAppeared'; readonly names?: readonly string[] }
  /** Response to `findMentions`, best match first. Sent again if more was found. */
  | { readonly type: 'foundMentions'; readonly query: string; readonly mentions: readonly Mention[] }
  /** Response to `takeMention`: the attachments, none if the host has told the user why. */
  | { readonly type: 'tookMention'; readonly id: string; readonly attachments: readonly Attachment[] }
  /** Response to `findPasted`: the pasted text as a reference to its lines. Absent if it wasn't copied in an editor. */
  | { readonly type: 'foundPasted'; readonly id: number; readonly attachment?: Attachment }
  /** Response to `readClipboard`. */
  | { readonly type: 'clipboardText'; readonly text: string }
  /** Response to `findTextless`: the files that are sent as links, because they are too large or aren't text. */
  | { readonly type: 'foundTextless'; readonly uris: readonly string[] }
  /** Response to `previewAttachment`: the text, or why there is none, as a sentence. */
  | {
      readonly type: 'attachmentPreview';
      readonly uri: string;
      readonly text?: string;
      readonly problem?: string;
    }
  /** Adds attachments to the message being typed. */
  | { readonly type: 'attach'; readonly attachments: readonly Attachment[] }
  /** The file in the active editor has changed, or its selection. Without `file`, there's nothing to follow. */
  | { readonly type: 'followedFile'; readonly file?: FollowedFile }
  /** Adds a text and attachments to the message being typed, after what is there. */
  | {
      readonly type: 'addDraft';
      readonly text: string;
      readonly attachments: readonly Attachment[];
      /** Whether anyone may have written the text. */
      readonly isFromLink?: true;
    }
  /** The prompts that are offered after `/`: sent when the page has loaded, and again when they have changed. */
  | { readonly type: 'prompts'; readonly prompts: readonly PromptListing[] }
  /**
   * Response to `takePrompt`, without `text` if the prompt isn't used. Without `id`, adds the text of a prompt to the
   * message being typed.
   */
  | { readonly type: 'tookPrompt'; readonly id?: string; readonly text?: string }
  /** A prompt was not accepted because no agent was available; it returns to the composer. */
  | { readonly type: 'promptReturned'; readonly text: string; readonly attachments?: readonly Attachment[] };

/** Messages from the chat page to the extension host: the user's actions. */
export type FromWebview =
  /** The page has loaded, with the session and revision it last showed; without a session, it remembers nothing. */
  | { readonly type: 'ready'; readonly session?: SessionKey | ''; readonly rev: number }
  /** The keyboard focus entered the page or left it. */
  | { readonly type: 'focusChanged'; readonly hasFocus: boolean }
  /**
   * Sends a message. Without a session, one is opened with `agent`, or else with the default agent. `after` has the ids of the waiting
   * messages that were before this one, if the user took it out of the queue to edit it.
   */
  | {
      readonly type: 'sendPrompt';
      readonly session: SessionKey | '';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly agent?: AgentId;
      readonly after?: readonly string[];
    }
  | {
      readonly type: 'changeQueue';
      readonly session: SessionKey;
      readonly id: string;
      readonly change: QueueChange;
    }
  /** Sends the scheduled message now, or not at all. */
  | { readonly type: 'changeScheduled'; readonly session: SessionKey; readonly action: 'send' | 'cancel' }
  /** Sends the waiting messages although the user has stopped a turn. */
  | { readonly type: 'resumeQueue'; readonly session: SessionKey }
  /** Sends the message that waits because a budget is used up; opens the setting with the budgets. */
  | { readonly type: 'sendAnyway'; readonly session: SessionKey }
  | { readonly type: 'openBudget' }
  /** Lets the agent write a summary, and drafts a new session that begins with it. */
  | { readonly type: 'newFromSummary'; readonly session: SessionKey }
  /** Requests what matches the text after an @. */
  | { readonly type: 'findMentions'; readonly query: string }
  /** Asks for the attachments of a found mention. */
  | { readonly type: 'takeMention'; readonly id: string }
  /** Asks for the text of a prompt. */
  | { readonly type: 'takePrompt'; readonly id: string }
  /** Saves a message of the user as a prompt. */
  | { readonly type: 'savePrompt'; readonly text: string }
  /** Files were dropped on the composer. */
  | { readonly type: 'attachUris'; readonly uris: readonly string[] }
  /** Asks whether a pasted text was copied in an editor of this window. */
  | { readonly type: 'findPasted'; readonly id: number; readonly text: string }
  /** The user pastes as text: requests the text on the clipboard. */
  | { readonly type: 'readClipboard' }
  /** Asks which attached files have no text to send. */
  | { readonly type: 'findTextless'; readonly uris: readonly string[] }
  /** Requests the text of an attached file or folder, as the user sees it now, or opens it. */
  | { readonly type: 'previewAttachment'; readonly uri: string }
  | { readonly type: 'openAttachment'; readonly uri: string }
  /** Saves the bytes of a message's content, or opens its text. */
  | { readonly type: 'saveContent'; readonly block: SavableBlock }
  | { readonly type: 'openText'; readonly uri: string; readonly text: string }
  | { readonly type: 'cancelTurn'; readonly session: SessionKey }
  /** Stops what continues after the turn that started it. */
  | { readonly type: 'stopLateWork'; readonly session: SessionKey }
  /** Shows Parley's commands with their keys. */
  | { readonly type: 'showKeys' }
  | {
      readonly type: 'answerPermission';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly optionId: string;
      /** A message that goes to the agent with the answer. */
      readonly reply?: Prompt;
    }
  /** Opens the change of an open request as a diff that the user can edit. */
  | {
      readonly type: 'editProposal';
      readonly session: SessionKey;
      readonly request: RequestKey;
      /** Opens the version that the user closed without saving it. */
      readonly isUnsaved?: true;
    }
  /** Allows an open request with the user's version of its change. */
  | { readonly type: 'allowProposal'; readonly session: SessionKey; readonly request: RequestKey }
  /** Rejects an open request about a plan, and sends the user's comments and changes with that. */
  | { readonly type: 'sendPlanComments'; readonly session: SessionKey; readonly request: RequestKey }
  /** Requests the rules that can be saved for an open request. */
  | {
      readonly type: 'offerRules';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly answer: 'allow_once' | 'reject_once';
    }
  /** Saves a rule, and answers the request as the rule says. */
  | {
      readonly type: 'saveRule';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly scope: ChosenScope;
      readonly rule: WrittenRule;
    }
  /** Requests what the session used; shows the page of usage. */
  | { readonly type: 'fetchUsage'; readonly session: SessionKey }
  | { readonly type: 'fetchContext'; readonly session: SessionKey }
  /** Asks the user for a question that isn't part of the conversation. */
  | { readonly type: 'askAside'; readonly session: SessionKey }
  | { readonly type: 'fetchAside' | 'dismissAside'; readonly session: SessionKey }
  /** `set` asks the user for the goal. */
  | { readonly type: 'changeGoal'; readonly session: SessionKey; readonly action: 'set' | 'clear' }
  | { readonly type: 'showUsage' }
  /** Shows a rule on the page of rules. */
  | { readonly type: 'showRule'; readonly id: string }
  /** Allows everything in the session, or to work freely in its sandbox, after a question; or turns that off. */
  | { readonly type: 'allowEverything'; readonly session: SessionKey; readonly isOn: boolean }
  /** Answers a question. `accept` of a URL opens it, and counts only if it could be opened. */
  | {
      readonly type: 'answerElicitation';
      readonly session: SessionKey;
      readonly request: RequestKey;
      readonly answer: ElicitationAnswer;
    }
  /** Opens a session with this agent. With `sends`, the message being typed is sent once the session is there. */
  | { readonly type: 'startAgent'; readonly agent: AgentId; readonly sends?: true }
  /** Opens a session with a preset. `sends`: what is typed is its first message, which has these words. */
  | { readonly type: 'startPreset'; readonly preset: string; readonly sends?: true; readonly words?: string }
  /** The start page is on screen: looks for agents on this machine. The answer is in the page's state. */
  | { readonly type: 'findAgents' }
  /** Adds an offered agent and opens a session with it, or updates an added agent. */
  | { readonly type: 'addOffered'; readonly id: string; readonly sends?: true }
  /** Shows where the user adds an agent with a command of their own. */
  | { readonly type: 'addOwnAgent' }
  /** Lets the user log in to an agent, in a session with it. */
  | { readonly type: 'logInAgent'; readonly agent: AgentId }
  /** Cancels what `addOffered` began. */
  | { readonly type: 'cancelOffered'; readonly id: string }
  /** Stops waiting for a starting agent or an opening session. */
  | { readonly type: 'cancelStart'; readonly session: SessionKey }
  | { readonly type: 'selectSession'; readonly session: SessionKey | '' }
  | { readonly type: 'closeSession'; readonly session: SessionKey }
  | { readonly type: 'renameSession'; readonly session: SessionKey; readonly title: string }
  /** Does something with the folder that a session works in. */
  | { readonly type: 'useFolder'; readonly session: SessionKey; readonly action: FolderAction }
  /** Lets the user choose what agents are held to in new sessions. */
  | { readonly type: 'chooseSandbox' }
  /** Lets the user allow a path that the session's sandbox has blocked. */
  | { readonly type: 'allowBlocked'; readonly session: SessionKey; readonly path: string }
  /** Finds out again what is missing for a sandbox. */
  | { readonly type: 'checkSandbox' }
  /** Lists what the session's agent is held to, and lets the user change it. */
  | { readonly type: 'showSandbox'; readonly session: SessionKey }
  /** The list of sessions was opened, closed, or placed elsewhere. While it is open, the host keeps it up to date. */
  | { readonly type: 'watchSessions'; readonly isOn: boolean; readonly coversSession?: true }
  /** The start page leads to sessions, or no longer. While it does, the host keeps them up to date. */
  | { readonly type: 'watchRecent'; readonly isOn: boolean }
  /** Shows a session of the list on this page, at an entry if that was found. */
  | { readonly type: 'openRow'; readonly id: string; readonly entry?: EntryId }
  | { readonly type: 'changeRows'; readonly ids: readonly string[]; readonly change: RowChange }
  /** Brings what a session of the list changed in its worktree here. */
  | { readonly type: 'bringChanges' | 'reviewWorktree'; readonly session: SessionKey }
  /** Saves a session of the list, open or not, where the user chooses. */
  | { readonly type: 'exportRow'; readonly session: SessionKey }
  | { readonly type: 'renameRow'; readonly id: string; readonly title: string }
  /** Brings back the sessions that were deleted last. */
  | { readonly type: 'undoDelete' }
  /** Requests an agent's own sessions: the first ones, which may start it, or more of them, or after a login. */
  | { readonly type: 'askAgentList'; readonly agent: AgentId; readonly logsIn: boolean }
  /** Searches for words in all stored conversations. */
  | { readonly type: 'searchSessions'; readonly text: string }
  | { readonly type: 'newSession' }
  /** Asks where a session in a new worktree starts, and starts it. `words` are those of the message that it then sends, if `sends`. */
  | { readonly type: 'newSessionInWorktree'; readonly words?: string; readonly sends?: true }
  /** Starts a session or tries as the row below the message says. Nothing is asked that the user has answered before. */
  | {
      readonly type: 'startTyped';
      readonly session: SessionKey | '';
      readonly text: string;
      readonly attachments?: readonly Attachment[];
      readonly start: StartChoice;
    }
  /** Requests the places for a new session. `changeCheck` lets the user change the command that checks tries. */
  | { readonly type: 'findPlaces' | 'changeCheck'; readonly session: SessionKey | '' }
  /** Shows the comparison of the tries of a task. */
  | { readonly type: 'compareTries'; readonly task: string }
  /** Starts several tries of what is typed, or asks for a message. */
  | { readonly type: 'tryWith'; readonly text: string; readonly attachments?: readonly Attachment[] }
  /** Requests which of these paths, from an agent's text, are files. A relative one starts from the session's folders. */
  | { readonly type: 'findPaths'; readonly session: SessionKey; readonly paths: readonly string[] }
  /**
   * Opens a file at a line or a range of lines, starting at 1; a relative path starts from the session's folder. Columns
   * start at 1, too.
   */
  | {
      readonly type: 'openLocation';
      readonly session: SessionKey;
      readonly path: string;
      readonly line?: number;
      readonly column?: number;
      readonly endLine?: number;
    }
  /** Shows the diff at `index` of a tool call's content in a diff editor. */
  | { readonly type: 'openDiff'; readonly session: SessionKey; readonly toolCall: ToolCallId; readonly index: number }
  /** Follows the agent in the editor or not, or goes to where it was before or after. */
  | { readonly type: 'follow'; readonly session: SessionKey; readonly action: 'on' | 'off' | 'back' | 'forward' }
  /** Sets how much of tool calls and thoughts all transcripts show. */
  | { readonly type: 'setToolDetail'; readonly detail: ToolDetail }
  /** Opens a link; VS Code asks before it leaves the editor. */
  | { readonly type: 'openLink'; readonly href: string }
  | { readonly type: 'openTerminal'; readonly session: SessionKey; readonly terminal: TerminalId }
  | { readonly type: 'stopTerminal'; readonly session: SessionKey; readonly terminal: TerminalId }
  | { readonly type: 'stopSubagent'; readonly session: SessionKey; readonly subagent: SessionId }
  /** Stops one tool call or one command that the agent can stop alone. */
  | {
      readonly type: 'stopWork';
      readonly session: SessionKey;
      readonly toolCall?: ToolCallId;
      readonly terminal?: TerminalId;
    }
  /** Reports the columns and rows of the page's terminal view. */
  | {
      readonly type: 'resizeTerminal';
      readonly session: SessionKey;
      readonly terminal: TerminalId;
      readonly columns: number;
      readonly rows: number;
    }
  | {
      readonly type: 'setConfigOption';
      readonly session: SessionKey;
      readonly configId: string;
      readonly value: string | boolean;
    }
  | {
      readonly type: 'errorAction';
      readonly session: SessionKey | '';
      readonly entry: EntryId | '';
      readonly action: ErrorAction;
    }
  /** Logs in to the session's agent with one of the methods on its card. */
  | { readonly type: 'login'; readonly session: SessionKey; readonly methodId: string }
  | { readonly type: 'cancelLogin'; readonly session: SessionKey }
  /** Opens the review page for these changes, or keeps or undoes them. */
  | {
      readonly type: 'reviewChanges';
      readonly session: SessionKey;
      /** `ask`: another agent reviews them. `redo`: what was undone at once waits for review again. */
      readonly action: 'open' | 'ask' | 'keep' | 'undo' | 'redo';
      readonly scope: ReviewScope;
    }
  /** The same for one file; `show` opens the file itself at its first change. */
  /** Shows how to protect the files that can't be undone, or hides their list. */
  | { readonly type: 'unprotectedAction'; readonly session: SessionKey; readonly action: 'show' | 'dismiss' }
  /** Sends the problems of the last turn to its agent, or shows the Problems view. */
  | { readonly type: 'newProblemsAction'; readonly session: SessionKey; readonly action: 'send' | 'show' }
  | {
      readonly type: 'reviewFile';
      readonly session: SessionKey;
      readonly action: 'show' | 'compare' | 'keep' | 'undo';
      readonly uri: string;
      readonly scope: ReviewScope;
    }
  /** Requests what restoring the files to before this message would do. */
  /** Lets the user commit what the agent changed in a turn, or in the session. */
  | { readonly type: 'commit'; readonly session: SessionKey; readonly turn?: number }
  | { readonly type: 'previewRestore'; readonly session: SessionKey; readonly entry: EntryId }
  /** Shows the result for one file of a preview in a diff editor. */
  | {
      readonly type: 'compareRestore';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly uri: string;
    }
  /** Restores the files to before this message; `text` is then sent as a message in its place. */
  | {
      readonly type: 'restore';
      readonly session: SessionKey;
      readonly entry: EntryId;
      /** URIs that were shown with a conflict and will be restored nevertheless. */
      readonly overwrite: readonly string[];
      readonly text?: string;
      /** Whether only the text is sent, and no file is restored. */
      readonly keepFiles?: true;
    }
  /** Undoes the restore that this notice reports. */
  | { readonly type: 'undoRestore'; readonly session: SessionKey; readonly entry: EntryId }
  | { readonly type: 'fetchOlder'; readonly session: SessionKey; readonly before: EntryId }
  /** Searches the whole session. A newer search replaces one that is still running. */
  | { readonly type: 'findInSession'; readonly session: SessionKey; readonly id: number; readonly query: FindQuery }
  /** Goes to the last message of the user before this entry, which may not be on the page. */
  | { readonly type: 'goToEarlierTurn'; readonly session: SessionKey; readonly before: EntryId }
  /** Lists the turns. */
  | { readonly type: 'showTurns' }
  /** Requests the whole session again after a gap in revisions. */
  | { readonly type: 'fetchSnapshot'; readonly session: SessionKey }
  | { readonly type: 'insertAtCursor'; readonly text: string }
  /** Applies an agent's code to a file, creates a file from it, or runs it in a terminal. The host asks where needed. */
  | {
      readonly type: 'useCode';
      readonly session: SessionKey;
      readonly action: CodeAction;
      /** The code, and everything after its opening fence. */
      readonly text: string;
      readonly info: string;
      /** Paths in the text before the code, the nearest first. */
      readonly hints: readonly string[];
    }
  | { readonly type: 'copyText'; readonly text: string }
  /** Copies an entry, or the whole turn that it is in, as Markdown. */
  | {
      readonly type: 'copyMarkdown';
      readonly session: SessionKey;
      readonly entry: EntryId;
      readonly scope: 'entry' | 'turn';
    }
  /** Copies a link to the turn of an entry. */
  | { readonly type: 'copyLink'; readonly session: SessionKey; readonly entry: EntryId }
  /** Response to `notify`. */
  | { readonly type: 'notificationShown'; readonly id: string; readonly isShown: boolean }
  | { readonly type: 'notificationClicked'; readonly id: string }
  /** Reports an error in the page, for the log. */
  | { readonly type: 'pageError'; readonly message: string };

/** The page's own state in `setState`. Apart from the draft and the view, the host has everything in it. */
export interface PageMemory {
  /**
   * The session on screen: empty for a start page that the user chose, absent for one shown because there are no
   * sessions.
   */
  readonly session?: SessionKey | '';
  readonly drafts: Readonly<Record<string, string>>;
  /** Where and with whom the drafts start a session, by the same keys. */
  readonly starts?: Readonly<Record<string, StartChoice>>;
  /** Attachments of the drafts. */
  readonly attachments: Readonly<Record<string, readonly Attachment[]>>;
  /** Present if the user turned off the attachment that follows the editor. */
  readonly ignoresEditor?: true;
  /** Present while the list of all sessions is open. */
  readonly showsSessions?: true;
  readonly expanded: readonly string[];
  /** Input in unanswered forms, by request. */
  readonly forms: Readonly<Record<string, unknown>>;
  /** The monograms of the user's agents, by name. */
  readonly monograms?: Readonly<Record<string, string>>;
  readonly scroll: { readonly anchor: EntryId | ''; readonly offset: number; readonly atEnd: boolean };
  readonly sessionId: SessionId | '';
}
