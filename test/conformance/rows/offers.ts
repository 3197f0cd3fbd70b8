import type { Row } from '../rows';
import { group, here, hereAnd, shownBy } from './group';

/** What agents may ask the user, what they are offered, and where they come from. */
export const offerRows: readonly Row[] = [
  ...group('elicitation', [
    ['E01', 'forms with every type', here],
    ['E02', 'accept, decline and cancel are three answers', here],
    ['E03', 'for a request and for a session', here],
    ['E04', 'addresses: shown whole, opened after consent', here],
    ['E05', 'the end of what happened outside', here],
    ['E06', 'unknown modes and types', here],
    ['E07', 'the agent is named', here],
    ['E08', 'cancelled with the turn', here],
    ['E09', 'warnings for odd addresses', here],
  ]),
  ...group('MCP', [
    ['M01', 'servers behind standard streams', here],
    ['M02', 'other transports as advertised', here],
    ['M03', 'servers in version 2', here],
    ['M04', 'the list again when a session is taken up', here],
    ['M05', 'MCP over ACP', here],
  ]),
  ...group('others', [
    ['O01', 'providers: listed, set, turned off, and set again at each start', here],
    ['O02', 'nothing of proxies is served or sent', here],
    ['O03', 'steering a turn that runs', here],
    [
      'O04',
      'no edit suggestions unless advertised',
      hereAnd(
        'test/e2e/nextEdits.test.ts › suggestions at the cursor are grey text, and those elsewhere are shown, reached, and accepted by key',
      ),
    ],
    ['O05', 'logins by gateway or key, told by _meta', here],
  ]),
  ...group('registry', [
    [
      'G01',
      'the list: kept, offline, with bad entries',
      hereAnd('src/host/registry/registryList.test.ts › is not sent again if it has not changed'),
    ],
    [
      'G02',
      'command lines for npx and uvx',
      shownBy(
        'src/agent/registry/packageCommand.test.ts › G02 by npx and uvx, with and without a cmd',
        'src/agent/registry/packageCommand.test.ts › G02 with exactly these arguments and variables, unchanged',
      ),
    ],
    [
      'G03',
      'programs: checked, unpacked, made runnable',
      hereAnd(
        'src/host/registry/installer.test.ts › unpacks it from .${ending} into its version folder and makes it executable',
      ),
    ],
    [
      'G04',
      'harmful archives and variables are refused',
      hereAnd(
        'src/host/registry/installer.test.ts › for ${what} in a ${kind}',
        'src/agent/registry/distribution.test.ts › not with a variable that decides what runs',
      ),
    ],
    [
      'G05',
      'updates, and platforms that are missing',
      hereAnd('src/agent/registry/distribution.test.ts › not when ${what}, with an explanation'),
    ],
    ['G06', 'agents of the settings', here],
  ]),
];
