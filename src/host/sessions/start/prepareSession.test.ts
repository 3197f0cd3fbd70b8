// The folders of new sessions: of the user's own, and of those that agents start.
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, test, type TestContext } from 'node:test';
import { SessionHarness } from '../../../../test/unit-support/fakeSession';
import { tempFolder } from '../../../../test/unit-support/tempFolder';
import { editor } from '../../../../test/unit-support/vscode';
import type { AgentCapabilities } from '../../../acp/decode/decodeAgent';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import { changeFolderChoice, folderChoiceKey } from './folderChoice';
import { prepareSession } from './prepareSession';

beforeEach(() => editor.reset());

const can = { additionalDirectories: true } as AgentCapabilities;
const none = { servers: [], skipped: [], secrets: [] };

/** A window on the folders `a` and `b`, whose user has added `far` and left out `b` for new sessions. */
function open(t: TestContext) {
  const root = tempFolder(t);
  const [a, b, far] = (['a', 'b', 'far'] as const).map((name) => join(root, name)) as [string, string, string];
  for (const folder of [a, b, far]) mkdirSync(folder);
  editor.folders = [a, b];
  const choice = changeFolderChoice({ known: [far] }, [a, b], new Set([a, far]));
  /** Opens a session, and returns what its agent is told, and where it works without asking. */
  const prepare = async ({ session }: SessionHarness) => {
    let inside: readonly string[] | undefined;
    const prepareIt = prepareSession(
      { get: () => Promise.resolve(none) },
      { get: (key) => (key === folderChoiceKey ? choice : undefined) },
      { workIn: (_session, folders) => (inside = folders) },
      { askIn: () => Promise.resolve() },
      { offer: () => Promise.resolve(none) },
    );
    const spec = { name: 'Codex' } as AgentSpec;
    const { additionalDirectories } = await prepareIt(session, spec, can, new AbortController().signal, true);
    return { told: additionalDirectories, inside };
  };
  return { a, b, far, prepare, session: () => new SessionHarness('Codex', undefined, a) };
}

const askedBy = { session: 'session:1', title: 'Ask', depth: 1, first: 'session:1' } as never;

test('a session of the user gets the folders chosen for it', async (t) => {
  const { far, prepare, session } = open(t);
  assert.deepEqual(await prepare(session()), { told: [far], inside: [far] });
});

test('a session that an agent starts gets only the asker’s folders', async (t) => {
  const { b, prepare, session } = open(t);
  // The asker was opened before the user chose, with the whole workspace.
  const whole = session();
  whole.session.setAskedBy(askedBy, undefined);
  assert.deepEqual(await prepare(whole), { told: [b], inside: undefined });
  // The asker works in its own folder alone.
  const alone = session();
  alone.session.setAskedBy(askedBy, []);
  assert.deepEqual(await prepare(alone), { told: [], inside: [] });
});
