import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readTraffic, TrafficPlayer } from '../../../test/unit-support/playTraffic';
import { applyOps, fromSnapshot, takeSnapshot } from '../../shared/transcript/ops';
import type { EntryId, TerminalId, ToolCallId } from '../../shared/values/ids';
import type { Entry } from '../../shared/transcript/transcript';
import { exportSession } from './exportSession';
import { exportedSession } from './exportedSession';
import { terminalText } from './terminalText';

const now = Date.UTC(2026, 0, 2, 3, 4, 5);
const hostile = `<script>alert(1)</script> "><img src=x onerror=alert(2)> [a](javascript:alert(3)) ![b](https://example.com/b.png) </style></title>`;
const token = 'ghp_abcdefghijklmnop0123456789';

async function recorded(name: string) {
  const player = await new TrafficPlayer(name).play(
    readTraffic(readFileSync(resolve('test/fixtures/traffic', `${name}.ndjson`), 'utf8')),
  );
  return player.test.session.transcript;
}

/** A session whose every text is hostile and contains a secret. */
async function hostileSession() {
  const transcript = fromSnapshot(takeSnapshot(await recorded('claude')));
  const text = `${hostile} ${token}`;
  const entries: Entry[] = [
    { kind: 'user_message', id: 'u' as EntryId, turn: 9, content: [{ type: 'text', text }], state: 'refused' },
    {
      kind: 'agent_message',
      id: 'a' as EntryId,
      turn: 9,
      content: [
        { type: 'text', text },
        { type: 'image', data: '"><script>', mimeType: 'image/png' },
        { type: 'image', data: 'AAAA', mimeType: 'image/svg+xml' },
        { type: 'resource', uri: `file:///${hostile}`, text },
      ],
    },
    { kind: 'agent_thought', id: 't' as EntryId, turn: 9, content: [{ type: 'text', text }], startedAt: 5 },
    {
      kind: 'tool_call',
      id: 'c' as EntryId,
      turn: 9,
      toolCallId: 'c' as ToolCallId,
      title: text,
      toolKind: 'edit',
      status: 'failed',
      content: [
        { type: 'diff', path: hostile, oldText: 'one\n', newText: text },
        { type: 'terminal', terminalId: 'x' as TerminalId },
      ],
      locations: [{ path: hostile }],
      permission: { state: 'none' },
      startedAt: 5,
    },
    { kind: 'notice', id: 'n' as EntryId, turn: 9, severity: 'info', title: text, description: text },
    { kind: 'error', id: 'e' as EntryId, turn: 9, code: 'x', title: text, cause: text, actions: [] },
  ];
  applyOps(transcript, [
    { op: 'view', fields: { title: text, agentName: hostile } },
    ...entries.map((entry) => ({ op: 'insert' as const, entry })),
  ]);
  return transcript;
}

void describe('export of a session', () => {
  for (const [format, extension] of [
    ['markdown', 'md'],
    ['html', 'html'],
    ['json', 'json'],
  ] as const) {
    void it(`writes a recorded session as ${format}`, async () => {
      const text = exportSession(await recorded('claude'), format, now, 'en');
      const path = resolve('test/golden', `export.${extension}`);
      if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text);
      assert.equal(text, readFileSync(path, 'utf8'));
    });

    void it(`redacts secrets in ${format}`, async () => {
      const text = exportSession(await hostileSession(), format, now, 'en');
      assert.ok(!text.includes(token));
    });
  }

  void it('escapes everything in HTML', async () => {
    const text = exportSession(await hostileSession(), 'html', now, '"><script>');
    assert.doesNotMatch(text, /<script/i);
    assert.doesNotMatch(text, /<[^>]*\sonerror/i);
    assert.doesNotMatch(text, /(?:href|src)="javascript:/i);
    assert.doesNotMatch(text, /<img\b(?! src="data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=]*")/i);
    assert.equal(text.match(/<\/style>/g)?.length, 1);
    assert.equal(text.match(/<\/title>/g)?.length, 1);
  });

  void it('keeps a fence in Markdown closed whatever it contains', async () => {
    const transcript = fromSnapshot(takeSnapshot(await recorded('claude')));
    const entry: Entry = {
      kind: 'tool_call',
      id: 'c' as EntryId,
      turn: 9,
      toolCallId: 'c' as ToolCallId,
      title: 'Read',
      toolKind: 'read',
      status: 'completed',
      content: [{ type: 'content', content: { type: 'text', text: 'a\n````\n# Not a heading' } }],
      locations: [],
      permission: { state: 'none' },
      startedAt: 5,
    };
    applyOps(transcript, [{ op: 'insert', entry }]);
    assert.match(
      exportSession(transcript, 'markdown', now, 'en'),
      /^ {2}`````\n {2}a\n {2}````\n {2}# Not a heading\n {2}`````$/m,
    );
  });

  void it('can be limited to a turn', async () => {
    const transcript = await recorded('claude');
    const all = exportedSession(transcript, now).turns;
    assert.deepEqual(
      exportedSession(transcript, now, 1).turns,
      all.filter(({ turn }) => turn === 1),
    );
  });

  void it("shows a command's output as the terminal displayed it", () => {
    assert.equal(terminalText('\u001b]0;title\u0007\u001b[32mok\u001b[0m\r\n10%\r20%\r\ndone\n'), 'ok\n20%\ndone');
  });
});
