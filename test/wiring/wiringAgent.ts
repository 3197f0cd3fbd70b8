// An agent in the process of the test: it answers what it is asked, and its turns last until the test ends them.
import { answer, call, ScriptedAgent, tell, type WireMessage } from '../unit-support/scriptedAgent';

type Params = Readonly<Record<string, unknown>>;
/** Answers a request. Undefined: never. */
type Responder = (params: Params) => unknown;

export class WiringAgent extends ScriptedAgent {
  /** What it answers, by method. A test can change it. */
  readonly responders = new Map<string, Responder>([
    [
      'initialize',
      () => ({
        protocolVersion: 1,
        agentCapabilities: this.capabilities,
        authMethods: this.authMethods,
        ...(this.info && { agentInfo: this.info }),
      }),
    ],
    ['session/new', () => this.opened()],
    ['session/load', () => ({})],
    ['authenticate', () => ({})],
    ['session/set_mode', () => ({})],
    ['session/set_config_option', ({ configId, value }) => this.setOption(configId, value)],
    ['session/close', () => ({})],
    ['session/delete', () => ({})],
    ['session/fork', () => ({ sessionId: `f${String((this.sessions += 1))}` })],
    ['session/list', () => ({ sessions: [] })],
    ['logout', () => ({})],
  ]);
  capabilities: object = {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    sessionCapabilities: { list: {}, fork: {}, close: {}, delete: {} },
    auth: { logout: {} },
  };
  info: object | undefined;
  authMethods: readonly object[] = [{ id: 'key', name: 'Use a key' }];
  configOptions: readonly { readonly id: string; readonly currentValue: string }[] = [];
  /** What it says in each turn, which then ends at once. Undefined: turns last until `endTurn`. */
  says: string | undefined = 'the answer';
  onExit: (code: number) => void = () => undefined;
  private sessions = 0;
  private asked = 0;
  private readonly prompts: { readonly id: unknown; readonly sessionId: unknown }[] = [];

  constructor() {
    super();
    let rest = '';
    this.stdin.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.respond(JSON.parse(line) as WireMessage);
    });
  }

  /** The messages that it got of these methods. */
  got(...methods: readonly string[]): readonly WireMessage[] {
    return this.heard.filter(({ method }) => methods.includes(String(method)));
  }

  /** Reports something about a session. */
  update(update: object, sessionId = 's1'): void {
    this.say(tell('session/update', { sessionId, update }));
  }

  talk(text: string): void {
    this.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
  }

  /** Sends a request; its answer is in `heard`. */
  ask(method: string, params: object): string {
    const id = `r${String((this.asked += 1))}`;
    this.say(call(id, method, { sessionId: 's1', ...params }));
    return id;
  }

  /** The answer to a request, if it has arrived. */
  answerTo(id: string): WireMessage | undefined {
    return this.heard.find((message) => message['method'] === undefined && message['id'] === id);
  }

  endTurn(stopReason = 'end_turn'): void {
    for (const { id } of this.prompts.splice(0)) this.say(answer(id, { stopReason }));
  }

  exit(code: number): void {
    this.onExit(code);
  }

  private opened(): object {
    const { configOptions } = this;
    return { sessionId: `s${String((this.sessions += 1))}`, ...(configOptions.length > 0 && { configOptions }) };
  }

  private setOption(configId: unknown, value: unknown): object {
    this.configOptions = this.configOptions.map((one) =>
      one.id === configId ? { ...one, currentValue: String(value) } : one,
    );
    return { configOptions: this.configOptions };
  }

  private respond({ id, method, params }: WireMessage): void {
    if (typeof method !== 'string') return;
    const { sessionId } = params as Params;
    if (method === 'session/prompt') {
      this.prompts.push({ id, sessionId });
      if (this.says === undefined) return;
      this.update(
        { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: this.says } },
        String(sessionId),
      );
      this.endTurn();
      return;
    }
    if (method === 'session/cancel') this.endTurn('cancelled');
    if (id === undefined) return;
    const responder = this.responders.get(method);
    const result = responder?.(params as Params);
    if (result !== undefined) this.say(answer(id, result));
    else if (!responder)
      this.say({ jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } });
  }
}
