import { mock, test } from 'node:test';
import assert from 'node:assert/strict';
import type { EntryId, RequestKey, SessionId, SessionKey } from '../../src/shared/values/ids';
import type { PageMemory } from '../../src/shared/pages/messages';
import { Memory } from './memory';

const a = 's1' as SessionKey;
const b = 's2' as SessionKey;
const id = 'abc' as SessionId;

/** Returns a memory, its last written state, and a second memory created from that state. */
function remember(stored?: unknown) {
  const written: PageMemory[] = [];
  const memory = new Memory(stored, (state) => written.push(state), 300);
  return {
    memory,
    written,
    again: () => {
      memory.flush();
      return new Memory(JSON.parse(JSON.stringify(written.at(-1))), () => undefined);
    },
  };
}

test('restores what was stored', () => {
  const { memory, again } = remember();
  memory.show(a, id, true);
  memory.setDraft(a, 'half');
  memory.setExpanded('t1', true);
  memory.setExpanded('t2', false);
  memory.noteScroll(() => ({ anchor: 'e7' as EntryId, offset: 12, atEnd: false }));
  const next = again();
  assert.equal(next.shownSession, a);
  assert.equal(next.draft(a), 'half');
  assert.equal(next.show(a, id, true), true);
  assert.deepEqual(
    ['t1', 't2', 't3'].map((key) => next.isExpanded(key)),
    [true, false, undefined],
  );
  assert.deepEqual(next.scrollPlace, { anchor: 'e7', offset: 12, atEnd: false });
});

test("the start page after a reload preserves a session's place", () => {
  const { memory, again } = remember();
  memory.show(a, id, true);
  memory.setExpanded('e1', true);
  memory.noteScroll(() => ({ anchor: 'e7' as EntryId, offset: 12, atEnd: false }));
  const next = again();
  next.show('', '', false);
  assert.equal(next.shownSession, a);
  assert.equal(next.show(a, id, true), true);
  assert.equal(next.scrollPlace.anchor, 'e7');
  assert.equal(next.isExpanded('e1'), true);
  next.show('', '', true);
  assert.equal(next.show(b, id, true), false);
  assert.equal(next.scrollPlace.atEnd, true);
});

test('writes consecutive changes once, after the delay', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { memory, written } = remember();
    for (let key = 0; key < 40; key++) memory.setExpanded(`t${key}`, true);
    assert.equal(written.length, 0);
    mock.timers.tick(300);
    assert.equal(written.length, 1);
    assert.equal(written[0]?.expanded.length, 40);
    mock.timers.tick(1000);
    assert.equal(written.length, 1);
  } finally {
    mock.timers.reset();
  }
});

test('writes text immediately and images after the delay', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { memory, written } = remember();
    memory.noteScroll(() => assert.fail('finding the place costs layout'));
    memory.setDraft(a, 'a draft');
    memory.setForm('r' as RequestKey, { name: 'typed' });
    assert.deepEqual([written.length, written[0]?.drafts[a]], [2, 'a draft']);
    assert.deepEqual(written[1]?.forms, { r: { name: 'typed' } });
    memory.noteScroll(() => ({ anchor: '', offset: 0, atEnd: true }));
    memory.setAttached(a, [{ type: 'image', name: 'p.png', data: 'AAAA', mimeType: 'image/png' }]);
    memory.setDraft(a, 'a draft for a picture');
    assert.equal(written.length, 2);
    mock.timers.tick(300);
    assert.deepEqual([written.length, written[2]?.drafts[a]], [3, 'a draft for a picture']);
  } finally {
    mock.timers.reset();
  }
});

test('writes an unchanged place only with other changes', () => {
  mock.timers.enable({ apis: ['setTimeout'] });
  try {
    const { memory, written } = remember();
    const note = (offset: number) => {
      memory.noteScroll(() => ({ anchor: 'e7' as EntryId, offset, atEnd: false }));
      mock.timers.tick(300);
      return [written.length, written.at(-1)?.scroll.offset];
    };
    assert.deepEqual(note(12), [1, 12]);
    assert.deepEqual(note(12), [1, 12]);
    assert.deepEqual(note(13), [2, 13]);
    memory.setExpanded('t1', true);
    assert.deepEqual(note(13), [3, 13]);
    assert.deepEqual(written[2]?.expanded.length, 1);
    assert.deepEqual(note(13), [3, 13]);
  } finally {
    mock.timers.reset();
  }
});

test('writes the shown session immediately', () => {
  const { memory, written } = remember();
  memory.show(a, id, true);
  assert.deepEqual([written.at(-1)?.session, written.at(-1)?.sessionId], [a, id]);
});

test('drops folding if a key means another session after a reload', () => {
  const { memory, again } = remember();
  memory.show(a, id, true);
  memory.setExpanded('e1', true);
  const next = again();
  assert.equal(next.show(a, 'other' as SessionId, true), false);
  assert.equal(next.isExpanded('e1'), undefined);
  assert.equal(next.scrollPlace.atEnd, true);
});

test("keeps a session's folding when the agent assigns its id later", () => {
  const { memory } = remember();
  memory.show(a, '', true);
  memory.setExpanded('e1', true);
  memory.noteSessionId(id);
  memory.show(b, '', true);
  memory.show(a, id, true);
  assert.equal(memory.isExpanded('e1'), true);
});

test('moving a draft never replaces another one', () => {
  const { memory } = remember();
  memory.setDraft('', 'from the start page');
  memory.setDraft(a, 'own');
  memory.moveDraft('', a);
  assert.equal(memory.draft(a), 'own');
  assert.equal(memory.draft(''), 'from the start page');
  memory.moveDraft('', b);
  assert.equal(memory.draft(b), 'from the start page');
  assert.equal(memory.draft(''), '');
});

test('keeps only the latest foldings', () => {
  const { memory, written } = remember();
  memory.show(a, id, true);
  for (let at = 0; at < 700; at++) memory.setExpanded(`e${at}`, true);
  memory.flush();
  assert.equal(written.at(-1)?.expanded.length, 500);
  assert.equal(memory.isExpanded('e0'), undefined);
  assert.equal(memory.isExpanded('e699'), true);
});

test('keeps form values until they are removed, for the latest forms', () => {
  const { memory, written } = remember();
  const request = (at: number) => `r${at}` as RequestKey;
  for (let at = 0; at < 25; at++) memory.setForm(request(at), [['name', `value ${at}`]]);
  memory.setForm(request(24), undefined);
  memory.setForm('nobody' as RequestKey, undefined);
  memory.flush();
  assert.deepEqual(Object.keys(written.at(-1)?.forms ?? {}).length, 19);
  const again = new Memory(written.at(-1), () => undefined);
  assert.deepEqual(again.form(request(23)), [['name', 'value 23']]);
  assert.equal(again.form(request(0)), undefined);
  assert.equal(again.form(request(24)), undefined);
});

test('does not remember a start page shown because there are no sessions', () => {
  const { memory, again } = remember();
  assert.equal(memory.shownSession, undefined);
  memory.show('', '', false);
  memory.setDraft('', 'half');
  assert.equal(again().shownSession, undefined);
  assert.equal(again().draft(''), 'half');
  memory.show(a, id, true);
  memory.show('', '', true);
  assert.equal(again().shownSession, '');
});

test('ignores stored state with another shape', () => {
  for (const stored of [
    null,
    7,
    'text',
    [],
    { drafts: [1], expanded: 'x', scroll: { anchor: 3 } },
    { drafts: { a: 1 } },
  ]) {
    const memory = new Memory(stored, () => undefined);
    assert.ok(!memory.shownSession);
    assert.equal(memory.draft('a' as SessionKey), '');
    assert.equal(memory.scrollPlace.atEnd, true);
  }
});

test('agents keep their monograms, also those that are not there yet', () => {
  const { memory, again } = remember();
  memory.setMonograms(new Map([['Claude', 'C']]));
  memory.setMonograms(
    new Map([
      ['Codex', 'Co'],
      ['Claude', 'C'],
    ]),
  );
  memory.setMonograms(new Map());
  assert.deepEqual(Object.fromEntries(again().monograms), { Claude: 'C', Codex: 'Co' });
  assert.equal(remember({ monograms: { Claude: 7 } }).memory.monograms.size, 0);
});
