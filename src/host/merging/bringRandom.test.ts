// Random writes of an agent and of the user, and then a merge: the user’s files are exact again after its undo.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Bringing } from '../../../test/unit-support/bringing';
import type { FakeDocument } from '../../../test/unit-support/fakeDocuments';
import { needsGit } from '../../../test/unit-support/platform';
import { random } from '../../../test/unit-support/testStates';
import type { Session } from '../../session/session';
import type { BringRequest } from './broughtChanges';

const seeds = [1, 2, 4];
const rounds = 4;
const steps = 8;

const lines = (breaks: string) => Array.from({ length: 12 }, (_, at) => `line ${at}${breaks}`).join('');
const files = {
  'lf.txt': lines('\n'),
  'crlf.txt': lines('\r\n'),
  'mixed.txt': `${lines('\n')}${lines('\r\n')}`,
  'open end.txt': lines('\n').trimEnd(),
  'empty.txt': '',
  'sub/deep.txt': lines('\n'),
  'data.bin': Buffer.from([0, 1, 2, 255]),
};
const names = [...Object.keys(files), 'new.txt', 'sub/new.txt'];

/** What the user has: the bytes on disk, and the text of documents that aren’t saved. */
interface Present {
  readonly bytes: Buffer | undefined;
  readonly typed: string | undefined;
}

class Interleaving {
  readonly one: Bringing;
  private readonly next: (below: number) => number;

  constructor(one: Bringing, seed: number) {
    this.one = one;
    this.next = random(seed);
  }

  /** One write of the agent in the worktree, or of the user here. */
  async step(): Promise<void> {
    const { one, next } = this;
    const name = names[next(names.length)] ?? '';
    if (next(2) === 0) {
      const bytes = readAt(one.there, name);
      const to = this.changed(bytes, name);
      if (to === undefined) rmSync(join(one.there, name), { force: true });
      else if (next(10) === 0 && bytes) {
        rmSync(join(one.there, name));
        one.agent(`moved ${name.replace('/', ' ')}`, bytes);
      } else one.agent(name, to);
      return;
    }
    const document = this.documentOf(name);
    if (document) {
      // The editor's documents have one kind of line break.
      if (!name.startsWith('mixed')) document.type(`${document.getText()}typed ${next(1000)}`);
      return;
    }
    const to = this.changed(readAt(one.repository.folder, name), name);
    if (to === undefined) rmSync(one.window.path(name), { force: true });
    else one.repository.write(name, to);
    await one.window.look(name);
    if (to !== undefined && /^(lf|open|sub.deep)/.test(name) && next(3) === 0)
      one.window.documents.open(one.window.path(name)).type(`${to.toString()}typed ${next(1000)}\n`);
  }

  /** Returns a file after a change. Undefined if it’s deleted. */
  private changed(bytes: Buffer | undefined, name: string): Buffer | undefined {
    const { next } = this;
    if (bytes && next(8) === 0) return undefined;
    if (name.endsWith('.bin')) return Buffer.from([0, next(256), next(256)]);
    const all = (bytes?.toString('latin1') ?? '').split(/(?<=\n)/);
    const at = next(all.length + 1);
    const line = `word ${next(1000)}${name.startsWith('crlf') ? '\r\n' : '\n'}`;
    all.splice(at, next(3), ...(next(4) === 0 ? [] : [line]));
    return Buffer.from(all.join(''), 'latin1');
  }

  private documentOf(name: string): FakeDocument | undefined {
    const path = this.one.window.path(name);
    return this.one.window.documents.all.find(
      ({ uri, isDirty, isClosed }) => uri.fsPath === path && isDirty && !isClosed,
    );
  }

  get present(): ReadonlyMap<string, Present> {
    const { folder } = this.one.repository;
    const all = [...names, ...names.map((name) => `moved ${name.replace('/', ' ')}`)];
    return new Map(
      all.map((name) => [name, { bytes: readAt(folder, name), typed: this.documentOf(name)?.getText() }] as const),
    );
  }
}

function readAt(folder: string, name: string): Buffer | undefined {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path) : undefined;
}

for (const seed of seeds) {
  test(`random writes and merges are undone exactly (seed ${seed})`, needsGit, async (t) => {
    const one = await Bringing.start(t, files);
    const interleaving = new Interleaving(one, seed);
    let written = 0;
    for (let round = 0; round < rounds; round++) {
      for (let step = 0; step < steps; step++) await interleaving.step();
      const before = interleaving.present;
      const { pending } = one;
      const request: BringRequest = { session: one.session as unknown as Session, worktree: one.worktree };
      const brought = await one.bringer.bring(request);
      assert.deepEqual(brought.skipped, []);
      const places = new Set(brought.written.map((uri) => decodeURIComponent(uri.split('/shop/').at(-1) ?? '')));
      written += places.size;
      for (const [name, { bytes, typed }] of interleaving.present) {
        if (places.has(name)) continue;
        assert.deepEqual(bytes, before.get(name)?.bytes, `${name} wasn’t brought, round ${round}`);
        assert.equal(typed, before.get(name)?.typed);
      }
      for (const conflict of brought.conflicts) {
        const isChosen = conflict.conflict !== 'lines' && conflict.conflict !== 'place';
        if (isChosen) await one.bringer.takeTheirs(request, conflict);
      }
      const undoable = [...one.notices.values()].filter(({ restore }) => restore === 'undoable');
      for (let left = undoable.length; left > 0; left--) await one.undoBringing();
      for (const [name, { bytes, typed }] of interleaving.present) {
        const was = before.get(name);
        // The undo of everything saves text that wasn’t saved.
        const isSaved = was?.typed !== undefined && typed === undefined;
        const expected = isSaved ? Buffer.from(was.typed) : was?.bytes;
        assert.deepEqual(bytes?.toString('latin1'), expected?.toString('latin1'), `${name}, round ${round}`);
        if (!isSaved) assert.equal(typed, was?.typed, `${name}, round ${round}`);
      }
      assert.deepEqual(one.pending, pending);
      one.notices.clear();
    }
    assert.ok(written > 0);
  });
}
