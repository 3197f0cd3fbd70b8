import * as l10n from '@vscode/l10n';
import { internal } from '../../../acp/base/errors';
import type { PlacedRequest } from '../../../rules/request/placedRequest';
import type {
  FileService,
  Judgment,
  PermissionCase,
  PermissionRules,
  TerminalService,
} from '../../../session/services';
import type { Session } from '../../../session/session';
import type { EntryId, SessionKey, ToolCallId } from '../../../shared/values/ids';

/** The user's rules, which also say what a request would do. */
interface PlacingRules extends PermissionRules {
  place(request: PermissionCase): Promise<PlacedRequest>;
}

/** For the agent, so it isn't translated. */
const refusal = "This session only reads. It can't change files or run commands that aren't read-only.";

/** Variables of a command that can't make it run something else. */
const harmlessVariable = /^(NO_COLOR|FORCE_COLOR|TERM|COLORTERM|LANG|LC_[A-Z]+|CI|COLUMNS|LINES)$/;

/**
 * Keeps sessions that only review or answer aside from changing anything: their requests to do so are rejected as by a rule, and their writes and commands are
 * refused. What agents do without asking isn't seen here.
 */
export class ReadOnlySessions implements PermissionRules {
  private readonly isReadOnly: (session: SessionKey) => boolean;
  private readonly rules: PlacingRules;

  constructor(isReadOnly: (session: SessionKey) => boolean, rules: PlacingRules) {
    this.isReadOnly = isReadOnly;
    this.rules = rules;
  }

  answer(request: PermissionCase): Promise<Judgment | undefined> | Judgment | undefined {
    return this.isReadOnly(request.session) ? this.answerReader(request) : this.rules.answer(request);
  }

  /** Returns the files of agents, which such sessions only read. */
  files(files: FileService): FileService {
    return {
      readTextFile: (context, params, signal) => files.readTextFile(context, params, signal),
      writeTextFile: (context, params, signal) => {
        if (this.isReadOnly(context.session)) return Promise.reject(internal(refusal, { path: params.path }));
        return files.writeTextFile(context, params, signal);
      },
    };
  }

  /** Returns the commands of agents. Such sessions run only those that read. */
  terminals(terminals: TerminalService): TerminalService {
    return {
      create: async (context, params, events) => {
        if (this.isReadOnly(context.session)) {
          const { command, args, cwd } = params;
          const rawInput = { command, ...(args.length > 0 ? { args } : {}), ...(cwd === undefined ? {} : { cwd }) };
          const isHarmless = Object.keys(params.env).every((name) => harmlessVariable.test(name));
          const reads = isHarmless && (await this.reads(commandCase(context, rawInput)).catch(() => false));
          if (!reads) throw internal(refusal, { command });
        }
        return terminals.create(context, params, events);
      },
    };
  }

  private async answerReader(request: PermissionCase): Promise<Judgment | undefined> {
    if (await this.reads(request).catch(() => false)) return this.rules.answer(request);
    const { options } = request;
    const option =
      options.find(({ kind }) => kind === 'reject_once') ?? options.find(({ kind }) => kind === 'reject_always');
    return option ? { option, rule: l10n.t('Reviewers only read') } : { option: undefined, takesRules: [] };
  }

  private async reads(request: PermissionCase): Promise<boolean> {
    const { onlyReads } = await import('../../../rules/judge/onlyReads');
    const { entry, subject } = request;
    return onlyReads(await this.rules.place(request), [...entry.content, ...(subject.fields.content ?? [])]);
  }
}

/** Returns whether a session reviews the changes of another one. */
export function isReviewer({ sessions }: { readonly sessions: readonly Session[] }, key: SessionKey): boolean {
  return sessions.find((session) => session.key === key)?.transcript.view.reviews !== undefined;
}

/** Returns a command as the request that an agent would have made for it. */
function commandCase(
  { session, agentName, cwd }: Pick<PermissionCase, 'session' | 'agentName' | 'cwd'>,
  rawInput: { readonly command: string },
): PermissionCase {
  const toolCallId = 'parley:terminal' as ToolCallId;
  const fields = { title: rawInput.command, content: [], locations: [], rawInput };
  return {
    session,
    agentName,
    cwd,
    options: [],
    entry: {
      ...fields,
      kind: 'tool_call',
      id: toolCallId as string as EntryId,
      turn: 0,
      toolCallId,
      toolKind: 'execute',
      status: 'pending',
      permission: { state: 'none' },
      startedAt: 0,
    },
    subject: { fields, kind: 'execute', strangeParts: [] },
  };
}
