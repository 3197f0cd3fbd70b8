// Plays recorded traffic into a session: the client's messages become the user's actions.
import { decodePromptResult } from '../../src/acp/v1/channel';
import { decodeOpened } from '../../src/acp/decode/decodeAgent';
import { answeredVersion, dialectOf } from '../../src/acp/dialects';
import { ResponseError } from '../../src/acp/base/errors';
import { SessionRoutes } from '../../src/agent/routes/sessionRoutes';
import type { Dialect } from '../../src/acp/dialect/dialect';
import type { MessageId } from '../../src/shared/values/ids';
import { SessionHarness, settle } from './fakeSession';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>> | null;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A line of a recording: a message and its sender, or the name of the scenario that begins. */
export type TrafficLine = { readonly from: 'agent' | 'client'; readonly message: Message } | { readonly note: string };

/** Parses a recording in the format of test/fixtures/traffic or of an export of _Parley: Show Protocol Log_. */
export function readTraffic(text: string): readonly TrafficLine[] {
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [asTrafficLine(JSON.parse(line) as object)]));
}

/** Parses a line of either format. Anything else in an export (noise, notes, oversized messages) becomes a note. */
function asTrafficLine(line: object): TrafficLine {
  if (!('direction' in line && 'message' in line)) return line as TrafficLine;
  const { direction, message } = line;
  const isMessage = typeof message === 'object' && message !== null && !('summary' in message);
  if (!isMessage || (direction !== 'send' && direction !== 'receive')) return { note: JSON.stringify(message) };
  return { from: direction === 'receive' ? 'agent' : 'client', message };
}

/** Plays a recording of one session and its subagents. Skips messages of other sessions. */
export class TrafficPlayer {
  readonly test: SessionHarness;
  private readonly requests = new Map<unknown, Message>();
  private readonly routes = new SessionRoutes(
    { create: () => Promise.reject(new Error('Nothing runs here')) },
    () => undefined,
  );
  private readonly route;
  private sessionId: unknown;
  private dialect: Dialect | undefined;
  /** Prompts of the recording by the request's id, as the agent of the test knows them. */
  private readonly prompts = new Map<unknown, number>();
  /** Updates of a replay that was asked for. */
  private replay: unknown[] | undefined;

  constructor(agentName: string) {
    this.test = new SessionHarness(agentName);
    this.route = this.routes.begin(this.test.session, undefined);
  }

  async play(lines: readonly TrafficLine[]): Promise<this> {
    for (const line of lines) {
      if ('note' in line) continue;
      if (line.from === 'agent') await this.fromAgent(line.message);
      else this.fromClient(line.message);
      this.test.clock.pass(10);
      await settle();
    }
    return this;
  }

  private fromClient({ id, method, params, result }: Message): void {
    const { session } = this.test;
    if (method === undefined) {
      const outcome = result?.['outcome'] as { optionId?: string } | undefined;
      const params = this.requests.get(`agent ${id}`)?.params;
      const subject: { toolCall?: { toolCallId?: string } } | undefined = params?.['subject'] ?? params;
      const asked = subject?.toolCall;
      const call = this.test.all('tool_call').findLast(({ toolCallId }) => toolCallId === asked?.toolCallId);
      if (outcome?.optionId && call?.permission.state === 'asked') {
        session.answerPermission(call.permission.request, outcome.optionId);
      }
      return;
    }
    this.requests.set(`client ${id}`, { ...(params ? { params } : {}), method });
    if (method === 'session/prompt') {
      this.prompts.set(id, this.test.agent.prompts.length);
      session.sendPrompt((params!['prompt'] as readonly { text?: string }[]).map(({ text }) => text ?? '').join(''));
    } else if (method === 'session/cancel') session.cancel();
    else if (method === 'session/resume' && params && 'replayFrom' in params) this.replay = [];
    else if (method === 'session/set_mode') void session.setConfigOption('@mode', String(params!['modeId']));
    else if (method === 'session/set_config_option') {
      void session.setConfigOption(String(params!['configId']), params!['value'] as string);
    }
  }

  private async fromAgent({ id, method, params, result, error }: Message): Promise<void> {
    const { session, agent } = this.test;
    if (method === 'session/update') {
      if (this.replay) this.replay.push(params?.['update']);
      else this.routes.update(params, (update) => update);
    } else if (method === 'session/request_permission') {
      this.requests.set(`agent ${id}`, { method, params: params! });
      const { child } = this.routes.find(params);
      session.agentSide
        .handlePermission(params, new AbortController().signal, undefined, child?.sessionId)
        .catch(() => undefined);
    } else if (method === undefined) {
      const request = this.requests.get(`client ${id}`);
      switch (request?.method) {
        case 'initialize': {
          const dialect = dialectOf(answeredVersion(result))!;
          this.dialect = dialect;
          // Version 2 answers a prompt when it has added it.
          if (dialect.version === 2) agent.insertsPrompts = true;
          session.agentSide.useDialect(dialect);
          session.agentSide.agentKnown(dialect.decodeInitialize(result).agentVersion, []);
          break;
        }
        case 'session/new': {
          // Some scenarios continue in another session.
          if (this.sessionId !== undefined) break;
          const opened = decodeOpened(result);
          this.sessionId = opened.sessionId;
          for (const update of this.routes.settle(this.route, opened.sessionId)) {
            this.routes.deliver(opened.sessionId, update);
          }
          session.agentSide.opened(agent, opened, true);
          break;
        }
        case 'session/resume': {
          const quirks = { replayNoise: undefined, modeAsText: undefined };
          const updates = this.replay ?? [];
          this.replay = undefined;
          session.replay.compare(this.dialect!.updatesToShow(updates, 'load', quirks));
          for (const update of this.dialect!.updatesToShow(updates, 'kept', quirks))
            session.agentSide.handleUpdate(update);
          break;
        }
        case 'session/prompt':
          if (agent.insertsPrompts) {
            const prompt = agent.prompts[this.prompts.get(id) ?? -1];
            if (error) prompt?.reject(new ResponseError(error.code, error.message, error.data));
            else prompt?.resolve(result?.['messageId'] as MessageId);
            await settle();
          } else if (error) await agent.fail(new ResponseError(error.code, error.message, error.data));
          else await agent.end(decodePromptResult(result));
          break;
        case 'session/set_mode':
        case 'session/set_config_option':
          agent.changes
            .shift()
            ?.resolve(decodeOpened(result).configOptions.length ? decodeOpened(result).configOptions : undefined);
          break;
        default:
      }
    }
  }
}
