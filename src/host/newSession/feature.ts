import type * as vscode from 'vscode';
import { commandTable } from '../base/feature';
import { chooseFolders } from './chooseFolders';
import { newSession, newSessionWithDefaultAgent, type NewSessionServices } from './openNewSession';
import { startSessionHere } from './startSessionHere';

export interface NewSessionNeeds extends NewSessionServices {
  /** Stores the folders for new sessions. */
  readonly memory: vscode.Memento;
}

/** Starting a session: which agent, and in which folders. */
export function newSessionFeature(needs: NewSessionNeeds) {
  const commands = commandTable({
    'parley.newSession': (argument) => newSession(needs, argument),
    'parley.newSessionWithDefaultAgent': () => newSessionWithDefaultAgent(needs),
    'parley.startSessionHere': (argument) => startSessionHere(needs, argument),
    'parley.chooseFolders': () => chooseFolders(needs.memory),
  });
  return { commands };
}
