import * as l10n from '@vscode/l10n';
import type { PermissionCase } from '../../session/services';
import type { ToolCallContent } from '../../shared/transcript/content';
import type { EditorToolName } from '../../shared/pages/editorTools';
import { compact } from '../../shared/values/decodeValue';
import type { EntryId, ToolCallId } from '../../shared/values/ids';
import type { OwnQuestion, PermissionOption, ToolKind } from '../../shared/transcript/transcript';
import { editorServer, ToolProblem, type ToolCall } from './tool';

/** What a call is about to do. */
export interface Intent {
  readonly tool: EditorToolName;
  readonly title: string;
  /** What rules see as a second title, so that no rule allows it by the first one alone. */
  readonly command?: string;
  readonly kind: ToolKind;
  readonly paths: readonly string[];
  readonly content: readonly ToolCallContent[];
  /**
   * The arguments, if they say more than the rest. Rules that allow don't answer a request with fields that they don't know.
   */
  readonly input?: unknown;
  /** Parley's own question and the text that it is about, instead of the title. */
  readonly asks?: OwnQuestion;
  /** Only the user may allow it, not a rule. */
  readonly isGuarded: boolean;
}

/** Resolves once the user's rules or the user allow a call. Most agents ask for themselves, but none has to. */
export async function allowed(call: ToolCall, intent: Intent): Promise<void> {
  const { title, kind, content, asks } = intent;
  const options: readonly PermissionOption[] = [
    { optionId: 'allow', name: l10n.t('Allow once'), kind: 'allow_once' },
    { optionId: 'reject', name: l10n.t('Reject'), kind: 'reject_once' },
  ];
  const locations = intent.paths.map((path) => ({ path }));
  const chosen = (await call.services.rules.answer(caseOf(call, intent, options)))?.option?.optionId;
  if (chosen === 'reject') {
    throw new ToolProblem("The user's permission rules don't allow this. Don't try it again.");
  }
  const { beforeWork } = call.services;
  const { session } = call.context;
  if (chosen === 'allow' && !intent.isGuarded) return beforeWork?.(session);
  const question = { title, toolKind: kind, content, locations, options, ...compact({ asks }) };
  const answer = await call.context.ask(question, call.signal);
  if (answer === 'allow') return beforeWork?.(session);
  throw new ToolProblem(
    answer === undefined
      ? "The user didn't respond to the request."
      : 'The user rejected this. Ask what to do instead.',
  );
}

function caseOf(call: ToolCall, intent: Intent, options: readonly PermissionOption[]): PermissionCase {
  const { session, agentName, cwd } = call.context;
  const { tool, title, command = title, kind, content } = intent;
  const input = intent.input === undefined ? {} : { rawInput: intent.input };
  const locations = intent.paths.map((path) => ({ path }));
  const toolCallId = `parley:editor:${tool}` as ToolCallId;
  return {
    session,
    agentName,
    cwd,
    options,
    // What an edit changes is in its places. Everything else runs in the editor.
    leavesSandbox: kind !== 'edit' && kind !== 'read',
    entry: {
      kind: 'tool_call',
      id: toolCallId as string as EntryId,
      turn: 0,
      toolCallId,
      title,
      toolKind: kind,
      content,
      locations,
      ...input,
      status: 'pending',
      permission: { state: 'none' },
      startedAt: call.services.now(),
    },
    subject: {
      fields: { title: command, content, locations, ...input },
      kind,
      mcp: { server: editorServer, tool },
      strangeParts: [],
    },
  };
}
