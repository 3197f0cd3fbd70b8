import type * as vscode from 'vscode';
import { actionTable, commandTable } from '../base/feature';
import type { NewSessionServices } from './openNewSession';

export interface NewSessionNeeds extends NewSessionServices {
  /** Stores the folders for new sessions. */
  readonly memory: vscode.Memento;
}

const opening = () => import('./openNewSession');

/** Starting a session: which agent, and in which folders. */
export function newSessionFeature(needs: NewSessionNeeds) {
  const commands = commandTable({
    'parley.newSession': async (argument) => {
      const { newSession, readArgument } = await opening();
      await newSession(needs, readArgument(argument));
    },
    'parley.newSessionWithDefaultAgent': async () => (await opening()).newSessionWithDefaultAgent(needs),
    'parley.startSessionHere': async (argument) => {
      const { startSessionHere } = await import('./startSessionHere');
      await startSessionHere(needs, argument);
    },
    'parley.chooseFolders': async () => (await import('./chooseFolders')).chooseFolders(needs.memory),
  });
  const actions = actionTable({ newSession: async (argument) => (await opening()).newSession(needs, argument) });
  return { commands, actions };
}
