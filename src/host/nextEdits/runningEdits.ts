import * as vscode from 'vscode';
import type { Agent } from '../../agent/connection/agent';
import { Disposable } from '../../shared/values/disposable';
import { Coalesced } from '../base/coalesce';
import type { Log } from '../log/log';
import { acceptedCommand, AcceptedEdits } from './acceptedEdits';
import { AwayEdits } from './awayEdits';
import { EditClient } from './editClient';
import { EditorSurroundings, rangeOf } from './surroundings';

const focusMs = 100;

/** The clients of all agents with suggestions, and what they share: the suggestions away from the cursor. */
export class RunningEdits extends Disposable {
  readonly away = this.register(new AwayEdits());
  private readonly log: Log;
  private readonly surroundings = this.register(new EditorSurroundings());
  /** Undefined while a client starts. */
  private readonly clients = new Map<Agent, EditClient | undefined>();
  private readonly byKey = new Map<string, EditClient>();
  private nextKey = 1;

  constructor(log: Log) {
    super();
    this.log = log;
    const accept = (key: string, id: string) => this.byKey.get(key)?.session.accept(id);
    this.register(new AcceptedEdits(accept, this.away.onDidAccept));
    const focus = this.register(new Coalesced(() => this.tellFocus(), focusMs));
    this.register(vscode.window.onDidChangeActiveTextEditor(() => focus.request()));
    this.register(vscode.window.onDidChangeTextEditorSelection(() => focus.request()));
    this.register({
      dispose: () => {
        for (const agent of this.clients.keys()) this.remove(agent);
      },
    });
  }

  /** Starts the suggestions of an agent; rejects if it refuses. */
  async add(agent: Agent, name: string): Promise<void> {
    this.clients.set(agent, undefined);
    const key = String(this.nextKey++);
    let client: EditClient | undefined;
    try {
      client = await EditClient.start(agent, name, this.surroundings, this.log, {
        command: acceptedCommand,
        arguments: [key],
      });
    } finally {
      if (!client) this.clients.delete(agent);
    }
    if (!this.clients.has(agent) || this.isDisposed) {
      await client.stop();
      return;
    }
    this.clients.set(agent, client);
    this.byKey.set(key, client);
    const { session } = client;
    const source = client;
    client.onDidSuggestAway((suggestions) => {
      const offers = suggestions.map((suggestion) => ({
        suggestion,
        agentName: name,
        accept: () => session.accept(suggestion.id),
        reject: (reason: 'rejected' | 'ignored') => session.reject(suggestion.id, reason),
      }));
      this.away.offer(source, offers);
    });
    session.onDidSettle((id) => this.away.settled(source, id));
    this.updateKey();
    this.tellFocus();
  }

  /** Ends the suggestions of an agent. */
  remove(agent: Agent): void {
    const client = this.clients.get(agent);
    this.clients.delete(agent);
    if (!client) return;
    for (const [key, other] of this.byKey) if (other === client) this.byKey.delete(key);
    this.away.offer(client, []);
    this.updateKey();
    void client.stop();
  }

  private updateKey(): void {
    void vscode.commands.executeCommand('setContext', 'parley.offersNextEdits', this.byKey.size > 0);
  }

  private tellFocus(): void {
    const editor = vscode.window.activeTextEditor;
    const [visible] = editor?.visibleRanges ?? [];
    if (!editor || !visible) return;
    const { line, character } = editor.selection.active;
    const uri = editor.document.uri.toString();
    this.surroundings.focused(uri);
    for (const client of this.byKey.values()) client.session.focus(uri, { line, character }, rangeOf(visible));
  }
}
