import assert from 'node:assert/strict';
import type { RequestKey, ToolCallId } from '../../src/shared/values/ids';
import type { Entry, PermissionView } from '../../src/shared/transcript/transcript';
import { useBrowser, type Chat } from './chat';
import { testLooks } from './look';
import { pageState, pageWithSession, sessionA, snapshot, toolCall, userMessage } from './samples';

/* What the page shows of a sandbox: its chip, a question about a host, what was blocked, and what is missing. */

const options = [
  { optionId: 'allow', name: 'Allow for this turn', kind: 'allow_once' },
  { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
] as const;
const takesRules = ['allow_once', 'reject_once'] as const;
const asked: PermissionView = { state: 'asked', request: 'r1' as RequestKey, options, takesRules };

/** A question about a host, as Parley asks it. */
function connects(id: string, name: string, note: string, permission: PermissionView): Entry {
  return {
    ...toolCall(id, { title: `Connect to ${name}`, toolKind: 'fetch', permission }),
    toolCallId: `parley:${id}` as ToolCallId,
    status: permission.state === 'asked' ? 'pending' : 'cancelled',
    asks: { question: `Claude wants to connect to ${name}`, text: [name, note].filter(Boolean).join('\n') },
  };
}

async function show(chat: Chat, entries: readonly Entry[]): Promise<void> {
  await chat.showPage(pageWithSession());
  const isAsked = entries.some((entry) => entry.kind === 'tool_call' && entry.permission.state === 'asked');
  const activity = isAsked ? ({ state: 'requires_action', since: Date.now() } as const) : ({ state: 'idle' } as const);
  const view = { activity, sandbox: 'filesAndNetwork' } as const;
  await chat.showSession(sessionA, snapshot(view, [userMessage('u', 'Add a retry', 1), ...entries]));
  await chat.button('Sandbox: files and network').waitFor();
  if (isAsked) await chat.page.locator('.pl-perm[data-keyed][data-ready]').waitFor();
}

const widths = [290, 1200];
const patience = 'The program doesn’t wait for long. Your answer applies to its next connection.';

testLooks(useBrowser(), [
  {
    name: 'sandbox-host',
    widths,
    reach: (chat) =>
      show(chat, [
        connects('h1', 'registry.npmjs.org:443', '', { state: 'cancelled', programLeft: true }),
        connects('h2', '192.168.178.20:8080', `This is in your local network.\n${patience}`, asked),
      ]),
    check: async ({ page }) => {
      const end = page.locator('.head', { hasText: 'registry.npmjs.org' }).locator('.end');
      assert.doesNotMatch(await end.innerText(), /cancelled/);
      await end.getByText('stopped waiting', { exact: true }).waitFor();
      await end.getByText('The program stopped waiting', { exact: true }).waitFor();
    },
  },
  {
    name: 'sandbox-blocked',
    widths,
    reach: (chat) => {
      const blocked = [
        { kind: 'write', path: '/home/me/.zshrc', canAllow: true },
        { kind: 'write', path: '/home/me/Library/Application Support/harbor/cache/index.json', canAllow: true },
        { kind: 'write', path: '/home/me/harbor/packages/upload/.git/hooks/pre-commit' },
        { kind: 'read', path: '/home/me/.ssh/id_ed25519' },
      ] as const;
      return show(chat, [toolCall('t', { title: 'npm run setup', toolKind: 'execute', status: 'failed', blocked })]);
    },
  },
  {
    name: 'sandbox-missing',
    widths,
    reach: async (chat) => {
      const [problem, line] = [
        'The sandbox needs these programs: bwrap, socat.',
        'sudo apt-get install bubblewrap socat',
      ];
      await chat.showPage(pageState({ sandbox: { mode: 'filesAndNetwork', problem, line } }));
      await chat.page.getByRole('group', { name: 'No sandbox' }).waitFor();
    },
  },
  {
    name: 'sandbox-missing-windows',
    widths: [290],
    reach: async (chat) => {
      const problem =
        'The sandbox is experimental on Windows. Set it up once, with an administrator’s consent: it gets an account and a filter for its network.';
      const helper = String.raw`C:\Users\Ann Okafor\.vscode\extensions\parley.parley-acp-1.0.0\dist\vendor\srt-win\x64\srt-win.exe`;
      const line = `powershell -Command "& '${helper}' install"`;
      await chat.showPage(pageState({ sandbox: { mode: 'files', problem, line } }));
      await chat.page.getByRole('group', { name: 'No sandbox' }).waitFor();
    },
  },
]);
