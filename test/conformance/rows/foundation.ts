import type { Row } from '../rows';
import { group, here, hereAnd, shownBy } from './group';

/** How messages are made, agreed on and carried. */
export const foundationRows: readonly Row[] = [
  ...group('base', [
    ['B01', 'JSON-RPC 2.0 with params by name, as the schema has it', here],
    ['B02', 'ids: unique, of two types, echoed as they came', here],
    ['B03', 'a request of id null does no harm', here],
    ['B04', 'requests are served while own ones wait', here],
    ['B05', 'requests run side by side and are answered in any order', here],
    ['B06', 'unknown requests: method not found', here],
    ['B07', 'unknown notifications: passed over', here],
    ['B08', 'malformed params: invalid params', here],
    ['B09', 'answers to nothing: passed over', here],
    ['B10', 'a null result is an empty one', here],
    ['B11', 'the data of an error is shown', here],
    ['B12', 'a long request that the user gives up is cancelled', here],
    ['B13', 'a request that the agent takes back is answered once', here],
    ['B14', 'the cancel name of vscode-jsonrpc stays off the wire', here],
    ['B15', 'unknown keys are tolerated, none are sent', here],
    ['B16', 'trace context: only its three keys, if any', here],
    ['B17', 'lists lose their bad items only', here],
    ['B18', 'unknown values end nothing', here],
    [
      'B19',
      'secrets are not logged',
      hereAnd(
        'src/acp/wire/redact.test.ts › environments and headers keep their names and lose their values',
        'src/acp/wire/redact.test.ts › hides provider settings, login data, and form responses',
      ),
    ],
  ]),
  ...group('negotiation', [
    ['N01', 'initialize comes first and alone', here],
    ['N02', 'what initialize says is complete and true', here],
    ['N03', 'an unsupported version ends the process, and the user is told', here],
    ['N04', 'initialize of version 2', here],
    ['N05', 'version 2 asked for, 1 answered', here],
    ['N06', 'the error for an unsupported version', here],
    ['N07', 'agents that reject the shape of version 2', here],
    ['N08', 'version 1 unless told otherwise', here],
    ['N09', 'a minimal answer to initialize is enough', here],
    ['N10', 'what is not advertised is not used', here],
    [
      'N11',
      'initialize can be given up, and times out',
      hereAnd('src/agent/pool/agentFailures.test.ts › is stopped when it stays silent and nobody can be asked'),
    ],
  ]),
  ...group('stdio', [
    ['T01', 'one line of UTF-8 per message', here],
    ['T02', 'input in any pieces', here],
    ['T03', 'CRLF and blank lines', here],
    ['T04', 'lines that are no messages', here],
    ['T05', 'arrays are refused as a whole', here],
    [
      'T06',
      'stderr is never a failure, and bounded',
      hereAnd(
        'src/agent/process/agentProcess.test.ts › 10 MB of output never blocks the agent and keeps complete lines',
      ),
    ],
    ['T07', 'messages of 10 MB and more', here],
    ['T08', 'the end of an agent: told, with a way to start again', here],
    ['T09', 'a program that cannot be started is named', here],
    ['T10', 'the end in order: stdin, signals, the whole group', here],
    ['T11', 'nothing but messages on stdin', here],
    ['T12', 'no batches are sent', here],
  ]),
  ...group('HTTP and WebSocket', [
    [
      'H01',
      'initialize over HTTP',
      shownBy(
        "src/agent/remote/httpLink.test.ts › opens the connection's stream first, and a session's before its messages",
      ),
    ],
    [
      'H02',
      'the stream of a connection',
      shownBy(
        "src/agent/remote/httpLink.test.ts › opens the connection's stream first, and a session's before its messages",
      ),
    ],
    [
      'H03',
      'the stream of a session',
      shownBy(
        "src/agent/remote/httpLink.test.ts › opens the connection's stream first, and a session's before its messages",
        "src/agent/remote/httpLink.test.ts › answers a session's request with its header and original id",
        'src/agent/remote/httpLink.test.ts › requests a refused session stream again after loading the session',
      ),
    ],
    [
      'H04',
      'answers on either stream',
      shownBy("src/agent/remote/httpLink.test.ts › accepts an answer on either stream and in a post's body"),
    ],
    [
      'H05',
      'accepted requests have no body',
      shownBy('src/agent/remote/httpLink.test.ts › posts the messages of a session one after the other'),
    ],
    [
      'H06',
      'closing a connection',
      shownBy(
        "src/agent/remote/httpLink.test.ts › opens the connection's stream first, and a session's before its messages",
      ),
    ],
    [
      'H07',
      'cookies',
      shownBy(
        "src/agent/remote/remoteAgent.test.ts › returns the server's cookies, also after a reconnect",
        'src/agent/remote/remoteParts.test.ts › replaces and expires cookies, and respects path and encryption',
      ),
    ],
    [
      'H08',
      'server-sent events in any shape',
      shownBy('src/agent/remote/httpLink.test.ts › reads events in any format'),
    ],
    [
      'H09',
      'reactions to status codes',
      shownBy(
        "src/agent/remote/remoteAgent.test.ts › shows why it can't be reached",
        'src/agent/remote/remoteAgent.test.ts › requests another token when the server rejects it during a turn',
        'test/chaos/remote.test.ts › answers a message with 503, and only that message fails (http)',
        'test/chaos/remote.test.ts › answers a message with 404, and the session is opened again (http)',
        'src/agent/remote/httpLink.test.ts › fails one session when another client has its stream',
      ),
    ],
    [
      'H10',
      'connecting anew',
      shownBy('src/agent/remote/remoteAgent.test.ts › continues without a connection; missed updates are shown once'),
    ],
    [
      'H11',
      'WebSocket frames',
      shownBy(
        'src/agent/remote/remoteAgent.test.ts › answers, asks, and ends its connection',
        'src/agent/remote/remoteParts.test.ts › treats a WebSocket that answers no ping as lost',
      ),
    ],
    [
      'H12',
      'no login in a terminal for remote agents',
      shownBy(
        "src/agent/remote/remoteAgent.test.ts › isn't offered files, terminals, or terminal logins of this machine",
      ),
    ],
    [
      'H13',
      'a connection without an id',
      shownBy('src/agent/remote/httpLink.test.ts › reports a missing connection id as a failure'),
    ],
  ]),
];
