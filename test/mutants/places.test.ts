import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mutantsOf, mutated, probed } from './places.mjs';

const changesOf = (text: string) =>
  mutantsOf('one.ts', text).map((mutant) => mutated(text, mutant, mutant.texts[0] ?? ''));

void describe('the places to mutate', () => {
  void it('include conditions, early exits, and results', () => {
    const changes = changesOf('function f(a) { if (!a) return 1; return g(a, 2); }');
    for (const change of [
      'function f(a) { if (a) return 1; return g(a, 2); }',
      'function f(a) { ; return g(a, 2); }',
      'function f(a) { if (!a) return undefined; return g(a, 2); }',
      'function f(a) { if (!a) return 1; return g(2, a); }',
      'function f(a) { if (!a) return 1; return g(a, 3); }',
    ]) {
      assert.ok(changes.includes(change), change);
    }
  });

  void it('include statements, operators, tables, and handlers', () => {
    assert.deepEqual(changesOf('async () => { await f(); };').slice(1), [
      'async () => { ; };',
      'async () => { void f(); };',
    ]);
    assert.deepEqual(changesOf('a = b && c < d;'), [';', 'a = b || c < d;', 'a = b && c <= d;']);
    assert.deepEqual(changesOf('const t = { a: ["x"] };'), ['const t = { ...{} };', 'const t = { a: [...[]] };']);
    assert.ok(changesOf('on(() => stop());').includes('on(() => {});'));
  });

  void it('include no types, logs, or texts for users', () => {
    assert.deepEqual(mutantsOf('one.ts', "import { a } from 'b'; type T = [1, 2]; interface I { a: 1 }"), []);
    assert.deepEqual(mutantsOf('one.ts', 'this.log.info(a, 2);'), []);
    assert.deepEqual(mutantsOf('one.ts', "const title = l10n.t('{0} files', count);"), []);
  });

  void it('have ids that outlive changes elsewhere in the file', () => {
    const idsOf = (text: string) => mutantsOf('one.ts', text).map(({ id }) => id);
    const before = idsOf('f();\nf();\ng(1);');
    assert.equal(new Set(before).size, before.length);
    const now = idsOf('// A comment.\nf();\n\nh();\nf();\ng(1);');
    assert.deepEqual(
      before.filter((id) => !now.includes(id)),
      [],
    );
  });

  void it('note in the statement they are in that tests reach them', () => {
    const text = 'const f = (a) => { if (a) return a.map((one) => one + 1); };';
    const mutant = mutantsOf('one.ts', text).find(({ kind }) => kind === 'change a number');
    assert.ok(mutant);
    const { id } = mutant;
    const expected = `const f = (a) => { globalThis.parleyReached?.('${id}'); if (a) return a.map((one) => one + 1); };`;
    assert.equal(probed(text, [mutant]), expected);
  });
});
