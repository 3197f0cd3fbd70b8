import type { EntryId, PlanId, TerminalId, ToolCallId } from '../../src/shared/values/ids';
import type { TranscriptOp, TranscriptSnapshot } from '../../src/shared/transcript/ops';
import type { Entry, TerminalView, ToolCallEntry } from '../../src/shared/transcript/transcript';
import { agentMessage, asking, plan, sessionView, toolCall, userMessage } from './samples';

const cwd = '/home/me/harbor';

const oldClient = `import { UploadError } from './errors';

export class Client {
${Array.from({ length: 34 }, (_, index) => `  private readonly field${index} = ${index};`).join('\n')}

  async sendPart(part: Part) {
    const res = await fetch(part.url, init);
    if (!res.ok) throw new UploadError(res.status);
    return res.headers.get('etag');
  }
${Array.from({ length: 60 }, (_, index) => `  // unchanged ${index}`).join('\n')}
}
`;
const newClient =
  oldClient
    .replace(
      'fetch(part.url, init);',
      'retry(() => fetch(part.url, init), {\n      attempts: 4,\n      when: (r) => r.status >= 500,\n    });',
    )
    .replace('    if (!res.ok) throw new UploadError(res.status);\n', '') + "export { retry } from './retry';\n";

export const edited = { path: `${cwd}/src/upload/client.ts`, oldText: oldClient, newText: newClient };

export function terminal(id: string, fields: Partial<TerminalView> = {}): TerminalView {
  return {
    terminalId: id as TerminalId,
    driver: 'pty',
    command: 'npm run lint',
    cwd,
    output:
      "> eslint src\r\n\r\nsrc/upload/client.ts\r\n  \u001b[2m44:5\u001b[22m  \u001b[31merror\u001b[39m  'jittered' is not defined\r\n\r\n\u001b[31m\u001b[1m✖ 1 problem\u001b[22m\u001b[39m\r\n",
    hidden: 0,
    startedAt: 1_764_000_000_000,
    exit: { state: 'exited', exitCode: 1, endedAt: 1_764_000_002_100 },
    ...fields,
  };
}

export function read(id: string, name: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return toolCall(id, {
    title: `Read ${name}`,
    toolKind: 'read',
    status: 'completed',
    locations: [{ path: `${cwd}/src/upload/${name}` }],
    ...fields,
  });
}

export function edit(id: string, fields: Partial<ToolCallEntry> = {}): ToolCallEntry {
  return toolCall(id, {
    title: 'Edit client.ts',
    toolKind: 'edit',
    status: 'completed',
    content: [{ type: 'diff', ...edited }],
    ...fields,
  });
}

/** A message with every kind of markdown block. */
export const richMarkdown = `The client now retries on \`429\` and \`5xx\`, see [client.ts:41](src/upload/client.ts:41) and \`src/upload/retry.ts:12\`.

## What changed

1. **Backoff** with jitter, at most _four_ attempts.
2. A test that proves it:
   \`\`\`bash
   npm test -- --run upload
   \`\`\`
3. ~~Polling~~ is gone.

- [x] Helper
- [ ] Changelog

| Case | Before | After |
|---|---:|:---:|
| 500 | fails | retries |
| 429 | fails | waits |

> Slow links drop about one part in fifty.

\`\`\`ts
// Waits longer each time.
export const jittered = (base: number, f = 2) => (n: number) => base * f ** n * Math.random();
\`\`\`

More at https://example.com/retry, and a picture: ![a chart](https://example.com/chart.png)
`;

/** A session with one of everything. */
export function everything(): TranscriptSnapshot {
  const id = (name: string) => name as EntryId;
  const entries: Entry[] = [
    userMessage(
      'u0',
      'Uploads fail now and then on slow links. Add retry with backoff to the upload client, and a test.',
    ),
    {
      id: id('th'),
      turn: 1,
      kind: 'agent_thought',
      content: [{ type: 'text', text: 'Let me **think**.' }],
      startedAt: 1000,
      endedAt: 7000,
    },
    { id: id('p'), turn: 1, kind: 'plan', planId: 'plan' as PlanId },
    read('r1', 'client.ts'),
    read('r2', 'errors.ts'),
    toolCall('r3', { title: 'grep', toolKind: 'search', status: 'completed', rawInput: { pattern: 'fetch\\(' } }),
    agentMessage('m1', richMarkdown),
    edit('e1'),
    toolCall('f1', {
      title: 'npm run lint',
      status: 'failed',
      content: [{ type: 'terminal', terminalId: 't1' as TerminalId }],
      rawInput: { command: 'npm run lint' },
      endedAt: 1_764_000_002_100,
    }),
    toolCall('c1', { title: 'nodejs.org/api/timers', toolKind: 'fetch', status: 'cancelled' }),
    toolCall('o1', {
      title: 'jira.get_issue',
      toolKind: 'other',
      status: 'completed',
      rawInput: { key: 'HAR-412' },
      rawOutput: { status: 'In progress', votes: 17 },
    }),
    toolCall('sub', {
      title: 'Check time zone edge cases',
      toolKind: 'think',
      status: 'in_progress',
      toolCallId: 'sub' as ToolCallId,
      startedAt: Date.now() - 52_000,
    }),
    read('k1', 'zones.test.ts', { parent: 'sub' as ToolCallId }),
    toolCall('k2', {
      title: 'Edit zones.ts',
      toolKind: 'edit',
      status: 'in_progress',
      locations: [{ path: `${cwd}/src/date/zones.ts` }],
      parent: 'sub' as ToolCallId,
      startedAt: Date.now() - 3000,
    }),
    toolCall('run', {
      title: 'npm test',
      status: 'in_progress',
      content: [{ type: 'terminal', terminalId: 't2' as TerminalId }],
      rawInput: { command: 'npm test' },
      startedAt: Date.now() - 84_000,
    }),
    { id: id('n1'), turn: 1, kind: 'notice', severity: 'info', title: 'Model changed to Opus 5' },
    {
      id: id('cp'),
      turn: 1,
      kind: 'compaction',
      compactionId: 'c',
      status: 'completed',
      summary: [{ type: 'text', text: 'We added *retry*.' }],
    },
    {
      id: id('er'),
      turn: 1,
      kind: 'error',
      code: 'agentExited',
      title: 'Codex stopped unexpectedly (exit code 137)',
      cause:
        'The system or another program killed it. One possible reason is a lack of memory. Your session and files are safe.',
      logTail: '[21:04:11] tool exec: npm run build\n[21:04:39] Killed\n',
      actions: ['restartAgent', 'showLog'],
    },
    asking('ask'),
  ];
  return {
    rev: 0,
    view: sessionView({ activity: { state: 'requires_action', since: Date.now() - 18_000 }, plans: [plan] }),
    entries,
    omitted: 0,
    terminals: [
      terminal('t1'),
      terminal('t2', {
        command: 'npm test',
        exit: { state: 'running' },
        output:
          '> vitest run\r\n\r\n \u001b[32m✓\u001b[39m date/format.test.ts \u001b[2m(38 tests)\u001b[22m 112ms\r\n \u001b[33m❯\u001b[39m booking/slots.test.tsx \u001b[2m7/19\u001b[22m',
      }),
    ],
  };
}

const paragraph =
  'Parts are sent one after the other, and **each part** may fail on its own; `sendPart` is called again with the same body, see [client.ts](src/upload/client.ts:41). ';

/** Realistic markdown, about `length` characters: headings, paragraphs, lists, tables, code. */
export function longMarkdown(length: number): string {
  const parts: string[] = [];
  let size = 0;
  for (let section = 1; size < length; section++) {
    const text = [
      `## Section ${section}`,
      paragraph.repeat(3).trim(),
      Array.from({ length: 6 }, (_, index) => `- item ${index} of *section* ${section} with \`code\``).join('\n'),
      `| Case | Before | After |\n|---|---:|---|\n${Array.from({ length: 5 }, (_, row) => `| ${row} | fails | retries |`).join('\n')}`,
      '```ts\n' +
        Array.from({ length: 14 }, (_, line) => `export const value${line} = compute(${line}, 'text'); // why`).join(
          '\n',
        ) +
        '\n```',
      paragraph.trim(),
    ].join('\n\n');
    parts.push(text);
    size += text.length + 2;
  }
  return `${parts.join('\n\n')}\n\n`;
}

/** Texts that consist of one block that does not end. */
export const giants: Readonly<Record<string, (length: number) => string>> = {
  fence: (length) => '```ts\n' + "const value = compute(1, 'text');\n".repeat(Math.ceil(length / 34)),
  paragraph: (length) => paragraph.repeat(Math.ceil(length / paragraph.length)),
  lines: (length) => 'a line of a paragraph that goes on and on\n'.repeat(Math.ceil(length / 42)),
  list: (length) => '- one item of **many**, with `code`\n'.repeat(Math.ceil(length / 36)),
  nested: (length) => '- outer\n' + '  - inner item, one of **many**\n'.repeat(Math.ceil(length / 32)),
  table: (length) => '| a | b |\n|---|---|\n' + '| cell of a row | another cell |\n'.repeat(Math.ceil(length / 33)),
  quote: (length) => '> a quoted line, one of **many**\n'.repeat(Math.ceil(length / 33)),
  word: (length) => 'x'.repeat(length),
};

/** Cuts a text into chunks of 20 to 60 characters, always the same ones. */
export function chunks(text: string): string[] {
  const out: string[] = [];
  let seed = 7;
  for (let at = 0; at < text.length;) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    const size = 20 + (seed % 41);
    out.push(text.slice(at, at + size));
    at += size;
  }
  return out;
}

/** The ops of a message that streams in, the last with a mark to wait for. */
export function streamOps(id: string, parts: readonly string[]): TranscriptOp[] {
  return parts.map((text) => ({ op: 'appendText', id: id as EntryId, block: 0, text }));
}
