import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { NesSuggestion } from '../acp/decode/nesMessages';
import { minimalEdit } from './minimalEdit';
import { awaySuggestion, inlineEdit } from './placement';

const uri = 'file:///project/a.ts';
const document = TextDocument.create(uri, 'typescript', 1, 'const total = 1;\nlet 🙂x = total;\n\nreturn total;\n');

/** An edit that replaces from one place to another on a line. */
function edit(line: number, from: number, to: number, newText: string, other = {}): NesSuggestion {
  const range = { start: { line, character: from }, end: { line, character: to } };
  return { kind: 'edit', id: 'e', uri, edits: [{ range, newText }], ...other };
}

const cursor = { line: 0, character: 14 };

suite('at the cursor', () => {
  test('shows an edit that only adds to the line as gray', () => {
    for (const [suggestion, expected] of [
      [edit(0, 14, 14, '2 * '), '2 * '],
      [edit(0, 0, 16, 'const total = 2 * 1;'), 'const total = 2 * 1;'],
      [edit(0, 14, 16, '1 + 1;\nnext();'), '1 + 1;\nnext();'],
    ] as const) {
      assert.equal(inlineEdit(suggestion, document, cursor)?.insertText, expected);
    }
    const emoji = edit(1, 4, 7, '🙂xyz');
    assert.equal(inlineEdit(emoji, document, { line: 1, character: 7 })?.insertText, '🙂xyz');
  });

  test('shows no other edit as gray', () => {
    const others: NesSuggestion[] = [
      edit(0, 0, 16, 'const sum = 1;'),
      edit(0, 14, 16, '1'),
      edit(0, 14, 16, '1;'),
      edit(0, 15, 15, '0'),
      edit(0, 0, 5, 'const!'),
      edit(1, 0, 0, 'x'),
      edit(0, 14, 14, 'x', { uri: 'file:///project/b.ts' }),
      { kind: 'jump', id: 'j', uri, position: cursor },
      {
        ...edit(0, 14, 14, 'x'),
        edits: [edit(0, 14, 14, 'x'), edit(1, 0, 0, 'y')].flatMap((one) => (one.kind === 'edit' ? one.edits : [])),
      } as NesSuggestion,
    ];
    for (const one of others) assert.equal(inlineEdit(one, document, cursor), undefined, JSON.stringify(one));
    const acrossLines = { start: { line: 0, character: 14 }, end: { line: 1, character: 0 } };
    const across: NesSuggestion = { kind: 'edit', id: 'e', uri, edits: [{ range: acrossLines, newText: '1;\n\n' }] };
    assert.equal(inlineEdit(across, document, cursor), undefined);
  });
});

suite('away from the cursor', () => {
  test('sorts edits by position and keeps those that fit and change something', () => {
    const edits = [edit(3, 0, 6, 'yield'), edit(0, 6, 11, 'sum')].flatMap((one) =>
      one.kind === 'edit' ? one.edits : [],
    );
    const placed = awaySuggestion({ kind: 'edit', id: 'e', uri, edits }, document);
    assert.deepEqual(placed?.kind === 'edit' && placed.edits.map(({ newText }) => newText), ['sum', 'yield']);
    const wrong: NesSuggestion[] = [
      edit(0, 6, 11, 'total'),
      edit(40, 0, 0, 'x'),
      { kind: 'edit', id: 'e', uri, edits: [...edits, ...edits] },
      { kind: 'jump', id: 'j', uri, position: { line: 40, character: 0 } },
    ];
    for (const one of wrong) assert.equal(awaySuggestion(one, document), undefined, JSON.stringify(one));
  });

  test('drops edits that overlap, and keeps those that only touch', () => {
    const several = (...ranges: readonly (readonly [number, number, number, number])[]): NesSuggestion => ({
      kind: 'edit',
      id: 'e',
      uri,
      edits: ranges.map(([line, from, endLine, to]) => ({
        range: { start: { line, character: from }, end: { line: endLine, character: to } },
        newText: 'x',
      })),
    });
    const isKept = (one: NesSuggestion, of: typeof document | undefined) => awaySuggestion(one, of) !== undefined;
    for (const of of [document, undefined]) {
      assert.equal(isKept(several([0, 0, 0, 5], [0, 5, 0, 6]), of), true);
      assert.equal(isKept(several([0, 0, 0, 5], [0, 4, 0, 6]), of), false);
      assert.equal(isKept(several([0, 4, 0, 6], [0, 0, 0, 5]), of), false);
      assert.equal(isKept(several([0, 0, 1, 2], [1, 1, 1, 3]), of), false);
      assert.equal(isKept(several([0, 0, 1, 2], [1, 2, 1, 3]), of), true);
      assert.equal(isKept(several([0, 0, 2, 0], [0, 6, 0, 7], [3, 0, 3, 1]), of), false);
    }
  });

  test('accepts 100 edits, and lines up to the last', () => {
    const lines = Array.from({ length: 101 }, (_, at) => `${at}`);
    const long = TextDocument.create(uri, 'text', 1, lines.join('\n'));
    const edits = lines.map((_, line) => ({
      range: { start: { line, character: 0 }, end: { line, character: 0 } },
      newText: 'x',
    }));
    const of = (all: typeof edits) => awaySuggestion({ kind: 'edit', id: 'e', uri, edits: all }, long);
    assert.ok(of(edits.slice(0, 100)));
    assert.equal(of(edits), undefined);
    assert.ok(of(edits.slice(-1)));
    assert.equal(
      of([{ range: { start: { line: 101, character: 0 }, end: { line: 101, character: 0 } }, newText: 'x' }]),
      undefined,
    );
    const jump = (line: number): NesSuggestion => ({ kind: 'jump', id: 'j', uri, position: { line, character: 0 } });
    assert.deepEqual([awaySuggestion(jump(100), long), awaySuggestion(jump(101), long)], [jump(100), undefined]);
    const all = { kind: 'searchAndReplace', id: 's', uri, search: 'a', replace: 'b', isRegex: false } as const;
    const found = (count: number) => awaySuggestion(all, TextDocument.create(uri, 'text', 1, 'a'.repeat(count)));
    assert.deepEqual([found(100) !== undefined, found(101)], [true, undefined]);
  });

  test('judges a closed file when it is opened', () => {
    const other = edit(40, 0, 0, 'x', { uri: 'file:///project/b.ts' });
    assert.ok(awaySuggestion(other, undefined));
    const jump: NesSuggestion = {
      kind: 'jump',
      id: 'j',
      uri: 'file:///project/b.ts',
      position: { line: 40, character: 0 },
    };
    assert.deepEqual(awaySuggestion(jump, undefined), jump);
  });

  test('turns search and replace into one edit for each match', () => {
    const all = { kind: 'searchAndReplace', id: 's', uri, search: 'total', replace: '$1', isRegex: false } as const;
    const placed = awaySuggestion(all, document);
    assert.ok(placed?.kind === 'edit');
    assert.deepEqual(
      placed.edits.map(({ range, newText }) => [range.start.line, range.start.character, newText]),
      [
        [0, 6, '$1'],
        [1, 10, '$1'],
        [3, 7, '$1'],
      ],
    );
    const pattern = awaySuggestion({ ...all, search: 't\\wtal\\b', isRegex: true }, document);
    assert.equal(pattern?.kind === 'edit' && pattern.edits.length, 3);
    for (const search of ['(?=total)', '(', 'nothing']) {
      assert.equal(awaySuggestion({ ...all, search, isRegex: true }, document), undefined, search);
    }
    assert.equal(awaySuggestion(all, undefined), undefined);
    // In linear time, whatever the pattern.
    const long = TextDocument.create(uri, 'text', 1, 'a'.repeat(50_000));
    assert.equal(awaySuggestion({ ...all, search: '(a+)+$x', isRegex: true }, long), undefined);
  });
});

test('marks only the differing part of an edit and splits no character', () => {
  assert.deepEqual(minimalEdit('const total', 'const sum'), { kept: 6, removed: 'total', inserted: 'sum' });
  assert.deepEqual(minimalEdit('abc', 'abxc'), { kept: 2, removed: '', inserted: 'x' });
  assert.deepEqual(minimalEdit('aa', 'aaa'), { kept: 2, removed: '', inserted: 'a' });
  assert.deepEqual(minimalEdit('same', 'same'), { kept: 4, removed: '', inserted: '' });
  assert.deepEqual(minimalEdit('😀', '😁'), { kept: 0, removed: '😀', inserted: '😁' });
  assert.deepEqual(minimalEdit('𝒜', '𐒜'), { kept: 0, removed: '𝒜', inserted: '𐒜' });
});
