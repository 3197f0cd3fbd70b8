import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test, type TestContext } from 'node:test';
import { RequestError, type AgentContext } from '@agentclientprotocol/sdk';
import type { Topic } from './topics';
import { runTour } from './tour';
import { TurnOutput } from './turnOutput';
import { tempFolder } from '../../test/unit-support/tempFolder';

interface Update {
  readonly sessionUpdate: string;
  readonly title?: string;
  readonly status?: string;
  readonly content?: { readonly text?: string };
  readonly entries?: readonly { readonly content: string; readonly status: string }[];
}

/** The parameters of a request that the client answers. */
interface Served {
  readonly path?: string;
  readonly content?: string;
  readonly options?: readonly { readonly kind: string; readonly name: string }[];
}

/** A client with files on disk. `answer` is the user's choice, and `meanwhile` runs while a request is open. */
class Client {
  answer = 'allow';
  meanwhile: () => Promise<unknown> = () => Promise.resolve();
  can = { readFiles: true, writeFiles: true, runTerminals: true };
  unreadable = '';
  readonly updates: Update[] = [];
  readonly ran: string[] = [];
  /** The names of the options that reject, of each request. */
  readonly refusals: string[] = [];
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** All text sent by the agent. */
  get said(): string {
    return this.updates
      .map(({ sessionUpdate, content }) => (sessionUpdate === 'agent_message_chunk' ? (content?.text ?? '') : ''))
      .join('');
  }

  /** The steps of the plan with their last status. */
  get plan(): readonly string[] {
    const entries = this.updates.findLast(({ sessionUpdate }) => sessionUpdate === 'plan')?.entries ?? [];
    return entries.map(({ content, status }) => `${content}: ${status}`);
  }

  /** Titles and last statuses of the tool calls. */
  get calls(): readonly string[] {
    const calls: string[][] = [];
    for (const { sessionUpdate, title = '', status } of this.updates) {
      if (sessionUpdate === 'tool_call') calls.push([title, status ?? '']);
      else if (sessionUpdate === 'tool_call_update' && status) calls.at(-1)![1] = status;
    }
    return calls.map((call) => call.join(': '));
  }

  async tour(topic: Topic = 'all', turn = 1): Promise<void> {
    const client = {
      notify: async (_method: string, { update }: { update: Update }) => void this.updates.push(update),
      request: (method: string, params: Readonly<Record<string, string>>) => this.serve(method, params),
      createTerminal: async ({ command }: { command: string }) => {
        this.ran.push(command);
        return {
          id: 't1',
          waitForExit: async () => ({ exitCode: 0 }),
          kill: () => undefined,
          release: () => undefined,
        };
      },
    } as unknown as AgentContext;
    const output = new TurnOutput(client, 's1', new AbortController().signal, 0);
    await runTour({ topic, turn, cwd: this.folder, output, can: this.can });
  }

  async text(name = 'parley-tour.md'): Promise<string> {
    return readFile(join(this.folder, name), 'utf8');
  }

  private async serve(method: string, { path = '', content = '', options = [] }: Served): Promise<unknown> {
    if (method === 'session/request_permission') {
      this.refusals.push(options.find(({ kind }) => kind === 'reject_once')?.name ?? '');
      await this.meanwhile();
      return { outcome: { outcome: 'selected', optionId: this.answer } };
    }
    if (method === 'fs/write_text_file') return writeFile(path, content);
    if (this.unreadable !== '' && path.endsWith(this.unreadable)) throw new RequestError(-32603, 'It is binary.');
    try {
      return { content: await readFile(path, 'utf8') };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw new RequestError(-32603, 'It is a directory.');
      throw new RequestError(-32002, 'Resource not found');
    }
  }
}

async function client(t: TestContext, files: Readonly<Record<string, string>> = {}): Promise<Client> {
  const folder = tempFolder(t);
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return new Client(folder);
}

suite('the tour', () => {
  test('reads a file, writes one, and runs a command as planned', async (t) => {
    const one = await client(t, { 'README.md': '\n# Hi\n' });
    await one.tour();
    assert.deepEqual(one.plan, [
      'Read a file in this folder: completed',
      'Write parley-tour.md (asks first): completed',
      'Run a command (asks first): completed',
    ]);
    const [read, write, run] = one.calls;
    assert.deepEqual([read, write], ['Read README.md: completed', 'Create parley-tour.md: completed']);
    assert.match(run ?? '', /: completed$/);
    assert.match(one.said, /`README.md` has 2 lines and starts with “# Hi”/);
    assert.match(await one.text(), /^# Parley tour\n[^]*- Visit 1\n$/);
    await one.tour('files', 2);
    assert.match(await one.text(), /- Visit 1\n- Visit 2, turn 2\n$/);
    assert.deepEqual(one.refusals, ['Don’t create it', 'Don’t run it', 'Don’t change it']);
  });

  test('skips rejected steps, continues, and does not mention an unwritten file', async (t) => {
    const one = await client(t, { 'a.txt': 'text\n' });
    one.answer = 'reject';
    await one.tour();
    assert.deepEqual(await readdir(one.folder), ['a.txt']);
    assert.deepEqual(one.ran, []);
    assert.match(one.said, /You declined, so there is no new file[^]*OK, no command[^]*That’s the tour/);
    assert.doesNotMatch(one.said, /is yours now/);
    assert.deepEqual(
      one.calls.slice(1).map((call) => /: (\w+)$/.exec(call)?.[1]),
      ['failed', 'failed'],
    );
  });

  test('teaches the keys that allow, open the review page, and decide', async (t) => {
    const one = await client(t);
    // What is said before each request, and at the end.
    const said: string[] = [];
    one.meanwhile = async () => void said.push(one.said.slice(said.join('').length));
    await one.tour();
    said.push(one.said.slice(said.join('').length));
    const [beforeEdit = '', beforeCommand = '', atEnd = ''] = said;
    assert.match(beforeEdit, /edit a file[^]*Press `Ctrl\+Enter` \(`Cmd\+Enter` on a Mac\) to allow it/);
    const review = /review\*\*\. Press `Shift\+Alt\+G` \(`Ctrl\+Cmd\+G` on a Mac\)[^]*`K` keeps[^]*`U` undoes it/;
    assert.match(beforeCommand, review);
    assert.match(atEnd, /with `Shift\+Alt\+G` and then `K` or `U`/);
    // They are the keys of the product.
    const keys = await readFile(join(process.cwd(), 'docs', 'keyboard.md'), 'utf8');
    const rows = keys.split('\n').map((line) => line.replaceAll(/ +/g, ' '));
    const has = (...cells: readonly string[]) => rows.some((row) => row.includes(`| ${cells.join(' | ')} |`));
    assert.ok(has('`Ctrl+Enter`', '`Cmd+Enter`', 'Allow the request in sight, if nothing is typed'));
    assert.ok(has('Review Changes', '`Shift+Alt+G`', '`Ctrl+Cmd+G`'));
    for (const [key, does] of Object.entries({ K: 'Keep', U: 'Undo' }))
      assert.ok(has(`\`${key}\``, `\`${key}\``, `${does} the change`));
  });

  test('reports that an empty folder has nothing to read', async (t) => {
    const one = await client(t);
    await one.tour('files');
    assert.match(one.said, /no text file in this folder yet/);
    assert.deepEqual(one.calls, ['Create parley-tour.md: completed']);
    // The tour's own file isn't worth reading either.
    await one.tour('files', 2);
    assert.deepEqual(one.calls.at(-1), 'Edit parley-tour.md: completed');
    assert.doesNotMatch(one.calls.join(), /Read/);
  });

  test('plans and runs no command if the client has no terminals', async (t) => {
    const one = await client(t);
    one.can.runTerminals = false;
    await one.tour();
    assert.equal(one.plan.length, 2);
    assert.match(one.said, /doesn’t run commands for agents/);
    await one.tour('terminal', 2);
    assert.deepEqual(one.ran, []);
    assert.doesNotMatch(one.calls.join(), /ls|cmd/);
  });

  for (const canFiles of [true, false]) {
    const how = canFiles ? 'through the client' : 'directly';
    test(`writes ${how} without overwriting the user's files and folders`, async (t) => {
      const one = await client(t, { 'parley-tour.md': 'my own notes\n' });
      await mkdir(join(one.folder, 'parley-tour-2.md'));
      Object.assign(one.can, { readFiles: canFiles, writeFiles: canFiles });
      await one.tour('files');
      assert.equal(await one.text(), 'my own notes\n');
      assert.match(one.plan.join(), /Write parley-tour-3\.md/);
      assert.match(one.said, /`parley-tour-3\.md` is yours now/);
      const before = await one.text('parley-tour-3.md');
      one.meanwhile = () => writeFile(join(one.folder, 'parley-tour-3.md'), `${before}typed\n`);
      await one.tour('files', 2);
      assert.equal(await one.text('parley-tour-3.md'), `${before}typed\n`);
      assert.match(one.said, /has changed since you allowed the edit/);
    });
  }

  test('continues when its file cannot be read', async (t) => {
    const one = await client(t, { 'README.md': '# Hi\n' });
    one.unreadable = 'README.md';
    await one.tour('files');
    assert.match(one.said, /I couldn’t read `README\.md`: It is binary\./);
    assert.deepEqual(one.calls, ['Read README.md: failed', 'Create parley-tour.md: completed']);
  });
});
