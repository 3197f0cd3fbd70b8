import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOfFileUri } from './uriName';

test("shows a file's path in the form of its system", () => {
  assert.equal(pathOfFileUri('file:///w/a%20b.ts'), '/w/a b.ts');
  assert.equal(pathOfFileUri('file:///c%3A/w/a.ts'), 'c:\\w\\a.ts');
  assert.equal(pathOfFileUri('file:///C:/w/ä%25.ts'), 'C:\\w\\ä%.ts');
  assert.equal(pathOfFileUri('untitled:a%20b'), 'untitled:a b');
  assert.equal(pathOfFileUri('file://server/share/a.ts'), '\\\\server\\share\\a.ts');
});
