import assert from 'node:assert/strict';
import { beforeEach, suite, test } from 'node:test';
import { ResponseError } from '../acp/base/errors';
import type { AcpNotification, AcpRequest } from '../acp/base/method';
import { decodeNesCapabilities, type NesCapabilities } from '../acp/decode/nesMessages';
import { LanguageServer, type LspMessage } from './languageServer';
import { NesSession, type NesAgent, type NesSurroundings } from './nesSession';

const a = 'file:///project/a.ts';
const b = 'file:///project/b.ts';
const all: NesCapabilities = decodeNesCapabilities({
  nes: {
    events: {
      document: { didOpen: {}, didChange: { syncKind: 'incremental' }, didClose: {}, didSave: {}, didFocus: {} },
    },
    context: { recentFiles: {}, editHistory: {}, userActions: {}, openFiles: {}, diagnostics: {} },
  },
})!;
const none: NesCapabilities = decodeNesCapabilities({ nes: {} })!;

type Answer = (params: Record<string, unknown>, signal: AbortSignal | undefined) => unknown;

/** An agent that the test plays: what it was told, and its answers. */
class PlayedAgent implements NesAgent {
  readonly told: Record<string, unknown>[] = [];
  suggest: Answer = () => ({ suggestions: [] });
  start: Answer = () => ({ sessionId: 'n1' });

  async ask<P, R>({ method }: AcpRequest<P, R>, params: P, signal?: AbortSignal): Promise<R> {
    this.told.push({ method, ...params });
    const answer = method === 'nes/suggest' ? this.suggest : method === 'nes/start' ? this.start : () => ({});
    return (await answer(params as Record<string, unknown>, signal)) as R;
  }

  tell<P>({ method }: AcpNotification<P>, params: P): void {
    this.told.push({ method, ...params });
  }

  get methods(): readonly unknown[] {
    return this.told.map(({ method }) => method);
  }

  last(method: string): Record<string, unknown> | undefined {
    return this.told.findLast((one) => one['method'] === method);
  }
}

let clock: number;
/** Versions in the editor that haven't been sent yet. */
let ahead: Map<string, number>;
let agent: PlayedAgent;

const surroundings: NesSurroundings = {
  served: (uri) => (uri.includes('secret') ? undefined : uri.toLowerCase()),
  versionOf: (uri) => ahead.get(uri),
  openFiles: () => [
    { uri: a, languageId: 'typescript' },
    { uri: 'file:///project/secret', languageId: 'text' },
  ],
  diagnostics: () => [],
  selectionIn: () => undefined,
  now: () => (clock += 1),
};

beforeEach(() => {
  clock = 0;
  ahead = new Map();
  agent = new PlayedAgent();
});

async function started(can = all): Promise<NesSession> {
  const session = await NesSession.start(agent, can, surroundings, { workspaceFolders: [] });
  agent.told.length = 0;
  return session;
}

const insert = (line: number, character: number, text: string) => {
  const at = { line, character };
  return { range: { start: at, end: at }, text };
};
const edit = (id: string, line: number, character: number, newText: string, uri = a) => {
  const at = { line, character };
  return { kind: 'edit', id, uri, edits: [{ range: { start: at, end: at }, newText }] };
};
const never = new AbortController().signal;

suite('documents', () => {
  test("are synchronized in the agent's way, with its session", async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    session.change(a, 2, [insert(0, 3, '!')]);
    session.focus(a, { line: 0, character: 4 }, { start: { line: 0, character: 0 }, end: { line: 1, character: 0 } });
    session.save(a);
    session.close(a);
    assert.deepEqual(agent.methods, [
      'document/didOpen',
      'document/didChange',
      'document/didFocus',
      'document/didSave',
      'document/didClose',
    ]);
    assert.ok(agent.told.every(({ sessionId, uri }) => sessionId === 'n1' && uri === a));
    assert.deepEqual(agent.told[1]!['contentChanges'], [insert(0, 3, '!')]);
    assert.equal(agent.told[2]!['version'], 2);
  });

  test('are sent whole or not at all if the agent asks', async () => {
    const whole = await started({ ...none, didChange: 'full' });
    whole.open(a, 'typescript', 1, 'one\n');
    whole.change(a, 2, [insert(0, 3, '!'), insert(0, 0, '> ')]);
    whole.save(a);
    whole.close(a);
    assert.deepEqual(agent.told, [
      { method: 'document/didChange', sessionId: 'n1', uri: a, version: 2, contentChanges: [{ text: '> one!\n' }] },
    ]);
    const quiet = await started(none);
    quiet.open(a, 'typescript', 1, 'one\n');
    quiet.change(a, 2, [insert(0, 3, '!')]);
    quiet.close(a);
    assert.deepEqual(agent.methods, []);
  });

  test('are never sent if hidden from the agent or too long', async () => {
    const session = await started();
    session.open('file:///project/secret', 'text', 1, 'key');
    session.change('file:///project/secret', 2, [insert(0, 0, 'x')]);
    session.save('file:///project/secret');
    session.open(b, 'text', 1, 'x'.repeat(1_000_001));
    session.close(b);
    assert.deepEqual(agent.methods, []);
    session.open(a, 'typescript', 1, 'one\n');
    await session.suggest('file:///project/secret', { line: 0, character: 0 }, 'manual', never);
    await session.suggest(a, { line: 0, character: 0 }, 'manual', never);
    assert.doesNotMatch(JSON.stringify(agent.told), /secret/);
  });

  test('are sent with recent edits in a request as requested', async () => {
    const session = await started();
    session.open(b, 'typescript', 1, 'b\n');
    session.open(a, 'typescript', 1, 'one\ntwo\n');
    session.change(a, 2, [insert(0, 3, '!')]);
    session.change(a, 3, [insert(0, 4, '!')]);
    await session.suggest(a, { line: 0, character: 5 }, 'automatic', never);
    const { context, ...request } = agent.last('nes/suggest')!;
    assert.deepEqual(request, {
      method: 'nes/suggest',
      sessionId: 'n1',
      uri: a,
      version: 3,
      position: { line: 0, character: 5 },
      triggerKind: 'automatic',
    });
    assert.deepEqual(context, {
      recentFiles: [{ uri: b, languageId: 'typescript', text: 'b\n' }],
      editHistory: [{ uri: a, diff: '@@ -1,2 +1,2 @@\n-one\n+one!!\n two' }],
      userActions: [
        { action: 'insertChar', uri: a, position: { line: 0, character: 3 }, timestampMs: 2 },
        { action: 'insertChar', uri: a, position: { line: 0, character: 4 }, timestampMs: 4 },
      ],
      openFiles: [{ uri: a, languageId: 'typescript' }],
      diagnostics: [],
    });
    const quiet = await started(none);
    quiet.open(a, 'typescript', 1, 'one\n');
    await quiet.suggest(a, { line: 0, character: 0 }, 'manual', never);
    assert.equal(agent.last('nes/suggest')!['context'], undefined);
  });

  test('distant edits and long pauses separate entries of the history', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'x\n'.repeat(40));
    session.change(a, 2, [insert(0, 1, 'a')]);
    session.change(a, 3, [insert(30, 1, 'b')]);
    clock += 100_000;
    session.change(a, 4, [insert(30, 2, 'c')]);
    await session.suggest(a, { line: 0, character: 0 }, 'manual', never);
    const { editHistory } = agent.last('nes/suggest')!['context'] as { editHistory: { diff: string }[] };
    assert.deepEqual(
      editHistory.map(({ diff }) => diff.split('\n').filter((line) => /^[+-]/.test(line))),
      [
        ['-x', '+xa'],
        ['-x', '+xb'],
        ['-xb', '+xbc'],
      ],
    );
  });
});

suite('suggestions', () => {
  test('apply at the cursor or elsewhere, and each gets one response', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\ntwo\n');
    const settled: string[] = [];
    session.onDidSettle((id) => settled.push(id));
    agent.suggest = () => ({ suggestions: [edit('at', 0, 3, '!'), edit('far', 1, 0, '> '), edit('odd', 9, 0, 'x')] });
    const found = await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    assert.deepEqual([found.inline.map(({ id }) => id), found.away.map(({ id }) => id)], [['at'], ['far']]);
    assert.deepEqual(agent.last('nes/reject'), { method: 'nes/reject', sessionId: 'n1', id: 'odd', reason: 'ignored' });
    session.accept('at');
    session.reject('far', 'rejected');
    session.reject('far', 'ignored');
    assert.deepEqual(agent.told.slice(-2), [
      { method: 'nes/accept', sessionId: 'n1', id: 'at' },
      { method: 'nes/reject', sessionId: 'n1', id: 'far', reason: 'rejected' },
    ]);
    assert.deepEqual(settled, ['at', 'far']);
  });

  test('are accepted after their change, even if the session ended first', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    agent.suggest = () => ({ suggestions: [edit('at', 0, 3, '!'), edit('far', 0, 0, '> ')] });
    await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    ahead.set(a, 2);
    session.accept('at');
    assert.equal(agent.last('nes/accept'), undefined);
    session.change(a, 2, [insert(0, 3, '!')]);
    assert.deepEqual(agent.methods.slice(-2), ['document/didChange', 'nes/accept']);
    ahead.set(a, 3);
    session.accept('far');
    await session.end();
    assert.deepEqual(agent.methods.slice(-2), ['nes/accept', 'nes/close']);
  });

  test('are replaced by new ones; unknown ones are ignored', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    const reasons = () =>
      agent.told.filter(({ method }) => method === 'nes/reject').map(({ id, reason }) => [id, reason]);
    for (const id of ['first', 'second', undefined]) {
      agent.suggest = () => ({ suggestions: id === undefined ? [] : [edit(id, 0, 3, '!')] });
      await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    }
    assert.deepEqual(reasons(), [
      ['first', 'replaced'],
      ['second', 'ignored'],
    ]);
  });

  test('are dropped if the text changed, in any document', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    session.open(b, 'typescript', 1, 'two\n');
    agent.suggest = () => {
      session.change(b, 2, [insert(0, 0, 'x')]);
      return { suggestions: [edit('b', 0, 0, '!', b), edit('a', 0, 3, '!')] };
    };
    const found = await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    assert.deepEqual([found.inline.map(({ id }) => id), found.away], [['a'], []]);
    agent.suggest = () => {
      session.change(a, 2, [insert(0, 0, 'x')]);
      return { suggestions: [edit('late', 0, 3, '!')] };
    };
    const late = await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    assert.deepEqual(late, { inline: [], away: [] });
    // The editor is ahead of what the agent was sent.
    agent.suggest = () => {
      ahead.set(a, 3);
      return { suggestions: [edit('later', 0, 3, '!')] };
    };
    assert.deepEqual(await session.suggest(a, { line: 0, character: 3 }, 'automatic', never), late);
    assert.equal(agent.last('nes/reject')!['reason'], 'cancelled');
  });

  test('are limited to visible files, spelled as in the editor', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    agent.suggest = () => ({
      suggestions: [edit('s', 0, 0, 'x', 'file:///project/secret'), edit('A', 0, 3, '!', 'file:///project/A.ts')],
    });
    const found = await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    assert.deepEqual(
      found.inline.map(({ id }) => id),
      ['A'],
    );
    assert.equal(agent.last('nes/reject')!['id'], 's');
  });

  test('beyond the first twenty of a response are ignored', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    agent.suggest = () => ({ suggestions: Array.from({ length: 25 }, (_, at) => edit(`s${at}`, 0, 3, '!')) });
    const { inline } = await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    assert.equal(inline.length, 20);
    assert.equal(agent.told.filter(({ reason }) => reason === 'ignored').length, 5);
  });

  test('end with the session', async () => {
    const session = await started();
    session.open(a, 'typescript', 1, 'one\n');
    agent.suggest = () => ({ suggestions: [edit('at', 0, 3, '!')] });
    await session.suggest(a, { line: 0, character: 3 }, 'automatic', never);
    await session.end();
    await session.end();
    assert.deepEqual(agent.told.slice(-2), [
      { method: 'nes/reject', sessionId: 'n1', id: 'at', reason: 'cancelled' },
      { method: 'nes/close', sessionId: 'n1' },
    ]);
    session.accept('at');
    assert.deepEqual(await session.suggest(a, { line: 0, character: 3 }, 'manual', never), { inline: [], away: [] });
    assert.equal(agent.methods.at(-1), 'nes/close');
  });
});

test('end the session if the agent refuses or counts positions differently', async () => {
  const start = (can: NesCapabilities) => NesSession.start(agent, can, surroundings, { workspaceFolders: [] });
  await assert.rejects(start({ ...all, positionEncoding: 'utf-8' }), /utf-8/);
  assert.deepEqual(agent.methods, []);
  agent.start = () => ({});
  await assert.rejects(start(all), /didn’t return a session ID/);
  agent.start = () => Promise.reject(new ResponseError(-32000, 'Log in'));
  await assert.rejects(start(all), /Log in/);
});

suite('the language server', () => {
  const open = { textDocument: { uri: a, languageId: 'typescript', version: 1, text: 'one\ntwo\n' } };
  const complete = (triggerKind: number) => ({
    textDocument: { uri: a },
    position: { line: 0, character: 3 },
    context: { triggerKind },
  });
  let sent: LspMessage[];
  let server: LanguageServer;
  let away: string[][];

  async function serve(): Promise<void> {
    server = new LanguageServer(await started(), { command: 'accepted', arguments: ['key'] });
    [sent, away] = [[], []];
    server.onDidSend((message) => sent.push(message));
    server.onDidSuggestAway((suggestions) => away.push(suggestions.map(({ id }) => id)));
  }

  /** Sends a request; resolves to its answer. */
  function request(id: number, method: string, params: object): Promise<LspMessage> {
    const answer = new Promise<LspMessage>((resolve) => {
      const subscription = server.onDidSend((message) => {
        if (message.id !== id) return;
        subscription.dispose();
        resolve(message);
      });
    });
    server.receive({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  const notify = (method: string, params: object) => server.receive({ jsonrpc: '2.0', method, params });

  test('requests incremental documents and inline completions', async () => {
    await serve();
    const { result } = await request(1, 'initialize', {});
    assert.deepEqual(result, {
      capabilities: {
        textDocumentSync: { openClose: true, change: 2, save: { includeText: false } },
        inlineCompletionProvider: {},
      },
    });
    notify('initialized', {});
    assert.equal((await request(2, 'workspace/symbol', {})).error?.code, -32601);
    assert.equal((await request(3, 'shutdown', {})).result, null);
  });

  test('translates editor messages for the agent, and suggestions into completions', async () => {
    await serve();
    notify('textDocument/didOpen', open);
    notify('textDocument/didChange', { textDocument: { uri: a, version: 2 }, contentChanges: [insert(1, 3, '!')] });
    notify('textDocument/didSave', { textDocument: { uri: a } });
    agent.suggest = () => ({ suggestions: [edit('at', 0, 3, '!'), edit('far', 1, 0, '> ')] });
    const { result } = await request(1, 'textDocument/inlineCompletion', complete(2));
    assert.deepEqual(result, [
      {
        insertText: '!',
        range: insert(0, 3, '').range,
        command: { title: '', command: 'accepted', arguments: ['key', 'at'] },
      },
    ]);
    assert.deepEqual(away, [['far']]);
    await request(2, 'textDocument/inlineCompletion', complete(1));
    notify('textDocument/didClose', { textDocument: { uri: a } });
    assert.deepEqual(
      agent.told.map(({ method, triggerKind }) => (triggerKind === undefined ? method : triggerKind)),
      [
        'document/didOpen',
        'document/didChange',
        'document/didSave',
        'automatic',
        'manual',
        'nes/reject',
        'nes/reject',
        'document/didClose',
      ],
    );
  });

  test('cancels a request that the editor no longer needs', async () => {
    await serve();
    notify('textDocument/didOpen', open);
    agent.suggest = (_params, signal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('cancelled'))));
    const answer = request(7, 'textDocument/inlineCompletion', complete(2));
    notify('$/cancelRequest', { id: 7 });
    assert.equal((await answer).error?.code, -32800);
    agent.suggest = () => Promise.reject(new Error('no model'));
    assert.equal((await request(8, 'textDocument/inlineCompletion', complete(2))).error?.message, 'no model');
  });

  test('answers malformed requests and is silent after disposal', async () => {
    await serve();
    for (const params of [{}, { textDocument: 7 }, { textDocument: { uri: a }, position: null }]) {
      assert.deepEqual((await request(1, 'textDocument/inlineCompletion', params)).result, []);
      notify('textDocument/didOpen', params);
    }
    const before = sent.length;
    server.dispose();
    server.receive({ jsonrpc: '2.0', id: 9, method: 'shutdown' });
    assert.equal(sent.length, before);
  });
});
