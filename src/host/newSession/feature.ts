import type * as vscode from 'vscode';
import { actionTable, commandTable } from '../base/feature';
import { chooseFolders } from './chooseFolders';
import { newSession, newSessionWithDefaultAgent, readArgument, type NewSessionServices } from './openNewSession';
import { startSessionHere } from './startSessionHere';

export interface NewSessionNeeds extends NewSessionServices {
  /** Stores the folders for new sessions. */
  readonly memory: vscode.Memento;
}

/** Starting a session: which agent, and in which folders. */
export function newSessionFeature(needs: NewSessionNeeds) {
  const commands = commandTable({
    'parley.newSession': (argument) => newSession(needs, readArgument(argument)),
    'parley.newSessionWithDefaultAgent': () => newSessionWithDefaultAgent(needs),
    'parley.startSessionHere': (argument) => startSessionHere(needs, argument),
    'parley.chooseFolders': () => chooseFolders(needs.memory),
  });
  const actions = actionTable({ newSession: (argument) => newSession(needs, argument) });
  return { commands, actions };
}
