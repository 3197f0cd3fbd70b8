import type { Row } from '../rows';
import { group, here, open, shownBy, unstable, version2 } from './group';

const attachments = open('Nothing can be attached to a message yet; every prompt is one block of text.');

/** Logging in, sessions, their turns and their settings. */
export const sessionRows: readonly Row[] = [
  ...group('auth', [
    ['A01', 'login required: choose a method, log in, try again', here],
    ['A02', 'a method without a type is one of the agent', here],
    ['A03', 'login in a terminal', here],
    ['A04', 'logout where it is advertised', here],
    ['A05', 'login required in the middle of a session', here],
    ['A06', 'methods of an unknown type do no harm', here],
    ['A07', 'methods that ask for environment variables (older agents)', here],
    ['A08', 'terminal logins told by _meta', here],
    ['A09', 'login of version 2', version2],
    ['A10', 'the status of the login', unstable],
  ]),
  ...group('sessions', [
    ['S01', 'a new session has an absolute folder and its servers', here],
    ['S02', 'updates before the answer are kept', here],
    ['S03', 'a replay in its order, then prompts', here],
    ['S04', 'resuming without a replay', here],
    ['S05', 'the list: pages, cursors, folder', here],
    ['S06', 'deleting, also what is gone', here],
    ['S07', 'closing, also what is gone', here],
    ['S08', 'several sessions on one connection', here],
    ['S09', 'all further folders, each time', here],
    ['S10', 'forking', unstable],
    ['S11', 'archiving', unstable],
    ['S12', 'setting the title', unstable],
    ['S13', 'the status of a session', unstable],
    ['S14', 'a system prompt where it is advertised', here],
    [
      'S15',
      'sessions come back after a reload of the window',
      shownBy(
        'test/e2e/turn.test.ts › the window can be reloaded: what was said is there, and the session goes on',
        'src/agent/agentFailures.test.ts › takes the session up where it was when it can',
      ),
    ],
    ['S16', 'title and its changes', here],
    ['S17', 'resuming in version 2', version2],
    ['S18', 'without a list, the history is Parley’s own', here],
  ]),
  ...group('prompt', [
    ['P01', 'blocks only as the agent takes them', attachments],
    ['P02', 'files embedded where the agent takes them', attachments],
    ['P03', 'every stop reason can be seen', here],
    ['P04', 'cancelling in good order', here],
    ['P05', 'an error ends the turn only', here],
    ['P06', 'one prompt at a time', here],
    ['P07', 'slash commands are text', here],
    ['P08', 'usage in the answer', unstable],
    ['P09', 'cancelling early, twice, and too late', here],
    ['P10', 'messages and their echo in version 2', version2],
    ['P11', 'rejected prompts in version 2', version2],
    ['P12', 'work that the agent begins in version 2', version2],
    ['P13', 'work in the background in version 2', version2],
  ]),
  ...group('config', [
    ['C01', 'choices, flat and grouped', here],
    ['C02', 'switches, set with their type', here],
    ['C03', 'unknown types and categories', here],
    ['C04', 'config options beat modes', here],
    ['C05', 'modes where there is nothing else', here],
    ['C06', 'the order of the agent, details of the model beside it', here],
    ['C07', 'the answered list counts, a refusal reverts', here],
    ['C08', 'models of older agents', here],
  ]),
];
