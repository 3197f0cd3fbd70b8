import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { Disposable, DisposableStore } from '../shared/values/disposable';
import type { ActionName, Actions } from './base/actions';
import type { CommandId, Commands, Feature } from './base/feature';
import { agentsFloor, type Agents } from './agentsFloor';
import { machineFloor } from './machineFloor';
import { sessionsFloor } from './sessionsFloor';
import { usersFloor } from './usersFloor';
import { workFloor, type Work } from './workFloor';
import { handleIntent, type Handlers } from './pages/handlers';
import type { IntentType } from './pages/intent';

/** The whole extension: creates its floors from the lowest to the highest, connects them, and disposes of them. */
export class Parley extends Disposable {
  readonly agents: Agents;
  readonly work: Work;
  private readonly features: Required<Pick<Feature, 'flushNow' | 'flush'>>;

  /** Each floor takes only what is below it. */
  constructor(context: vscode.ExtensionContext) {
    super();
    if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
    const machine = machineFloor(context, this.register(new DisposableStore()));
    const agents = agentsFloor(machine);
    const work = workFloor(machine, agents);
    const sessions = sessionsFloor(machine, agents, work);
    const features = usersFloor(machine, agents, work, sessions);
    this.agents = agents;
    this.work = work;
    this.features = features;

    // What lower floors let features join.
    features.around.forEach((part) => agents.work.join(part));
    this.register(agents.closed.onDidClose((session) => features.forget(session)));
    const actions: Actions<ActionName> = features.actions;
    machine.desk.join(actions);

    // What the editor and the pages call.
    const handlers: Handlers<IntentType> = features.messages;
    const unread = machine.report('A message of the chat page');
    this.register(sessions.pages.onDidReceive(({ page, message }) => handleIntent(handlers, page, message, unread)));
    const commands: Commands<CommandId> = features.commands;
    for (const [id, execute] of Object.entries(commands)) {
      this.register(vscode.commands.registerCommand(id, execute));
    }
  }

  /** Stops every agent and every terminal. Resolves once all have exited. */
  async stop(): Promise<void> {
    const { pool, terminals, closed } = this.agents;
    closed.windowCloses();
    // Comes first: the next window doesn't wait for this one, and the editor ends this process a few milliseconds after
    // calling, whatever is awaited.
    const written = this.features.flushNow();
    await Promise.all([written, pool.stopAll(), terminals.stopAll()]);
    // Agents may have written files until they exited.
    await this.features.flush();
    // From here on, another window may restore the stored sessions.
    this.work.windows.leave();
    this.dispose();
  }
}
