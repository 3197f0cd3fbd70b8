import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fitCode } from './placement';

const file = `import a from 'a';

function one() {
  if (a) {
    return 1;
  }
}

function two() {
  return 2;
}

class Box {
  open() {
    return true;
  }

  close() {
    return true;
  }
}
`.split('\n');

function fit(code: string): string {
  const fitted = fitCode(file, code.split('\n'));
  return fitted.kind === 'changed' ? fitted.lines.join('\n') : fitted.kind;
}

test("replaces the lines from the code's first to its last line", () => {
  const result = fit('function one() {\n  return 10;\n}');
  assert.equal(result, file.join('\n').replace('  if (a) {\n    return 1;\n  }\n', '  return 10;\n'));
});

test('counts equal closing lines inside the code', () => {
  const result = fit('function one() {\n}\n\nfunction two() {\n  return 20;\n}');
  assert.match(result, /function one\(\) \{\n\}\n\nfunction two\(\) \{\n {2}return 20;\n\}\n\nclass Box/);
});

test('indents code to match its place', () => {
  assert.match(
    fit('close() {\n  return false;\n}'),
    /open\(\) \{\n {4}return true;\n {2}\}\n\n {2}close\(\) \{\n {4}return false;\n {2}\}\n\}/,
  );
});

test('treats placeholder comments as gaps and never writes them', () => {
  const changed = file.join('\n').replace('return 2', 'return 3');
  const two = 'function two() {\n  return 3;\n}\n';
  assert.equal(fit(`// ... existing code ...\n${two}// ... existing code ...`), changed);
  assert.equal(fit(`${two}\nclass Box {\n  // ... rest of the class\n}`), changed);
  // The file has no such import, so nothing says where it belongs.
  assert.equal(fit(`import b from 'b';\n// ...\n${two}`), 'unknown');
  assert.deepEqual(fitCode(file, ['x();', '// ... existing code ...']), { kind: 'unknown', isPartial: true });
});

test('refuses an ambiguous place', () => {
  const twice = ['a {', '  1', '}', 'a {', '  1', '}'];
  assert.deepEqual(fitCode(twice, ['a {', '  2', '}']), { kind: 'unknown', isPartial: false });
  // More of the code's lines follow the second.
  assert.deepEqual(fitCode(['a {', '  1', '}', 'a {', '  3', '  1', '}'], ['a {', '  3', '  4', '}']), {
    kind: 'changed',
    lines: ['a {', '  1', '}', 'a {', '  3', '  4', '}'],
  });
  assert.equal(fit('nothing\nlike this'), 'unknown');
  assert.equal(fit(''), 'unknown');
});

test('changes nothing if the file already contains the code', () => {
  assert.equal(fit('function two() {\n  return 2;\n}\n'), 'same');
});
