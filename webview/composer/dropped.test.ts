import assert from 'node:assert/strict';
import { test } from 'node:test';
import { droppedProblems, droppedUris, filesIn } from './dropped';

interface FakeEntry {
  readonly name: string;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

function fileEntry(name: string, content: string | Uint8Array): FakeEntry {
  const made = new File([content as BlobPart], name);
  const entry = { name, isFile: true, isDirectory: false, file: (done: (file: File) => void) => done(made) };
  return entry;
}

/** A folder whose entries arrive in pieces, as browsers read them. */
function folderEntry(name: string, inside: readonly FakeEntry[]): FakeEntry {
  const entry = {
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = [...inside];
      return { readEntries: (done: (some: FakeEntry[]) => void) => done(left.splice(0, 2)) };
    },
  };
  return entry;
}

/** The data of a drop: texts by type, and files or folders of another program. */
function drop(
  texts: Readonly<Record<string, string>>,
  files: readonly File[] = [],
  folders: readonly FakeEntry[] = [],
) {
  const items = [
    ...files.map(() => ({ kind: 'file', webkitGetAsEntry: () => null })),
    ...folders.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })),
  ];
  const listed = [...files, ...folders.map(({ name }) => new File([], name))];
  return { getData: (type: string) => texts[type] ?? '', files: listed, items } as unknown as DataTransfer;
}

test("prefers URLs from the editor's list", () => {
  const own = 'vscode-remote://ssh-remote%2Bhost/w/a.ts\r\nfile:///w/b.ts';
  assert.deepEqual(droppedUris(drop({ 'application/vnd.code.uri-list': own, 'text/uri-list': 'https://x.test/' })), [
    'vscode-remote://ssh-remote%2Bhost/w/a.ts',
    'file:///w/b.ts',
  ]);
  assert.deepEqual(droppedUris(drop({ resourceurls: '["file:///w/c.ts", 7]' })), ['file:///w/c.ts']);
  assert.deepEqual(droppedUris(drop({ resourceurls: 'no json', 'text/uri-list': '# one\nfile:///w/d.ts\n' })), [
    'file:///w/d.ts',
  ]);
  assert.deepEqual(droppedUris(null), []);
});

test('reads files of other programs, whose paths mean nothing here', () => {
  const data = drop({ 'text/uri-list': 'file:///home/me/a.txt' }, [new File(['a'], 'a.txt')]);
  assert.deepEqual(droppedUris(data), []);
});

test('accepts text of any type, but nothing binary or too large', async () => {
  const files = [
    new File(['let a;\n'], 'a b.ts'),
    new File([Uint8Array.from([0, 1, 2])], 'b.bin'),
    new File([Uint8Array.from([0xff, 0xfe, 0x41])], 'c.txt'),
    new File(['x'.repeat(256_001)], 'large.txt'),
  ];
  assert.deepEqual(await filesIn(drop({}, files))?.(), {
    attachments: [{ type: 'resource', uri: 'attachment:///a%20b.ts', name: 'a b.ts', text: 'let a;\n' }],
    skipped: 3,
    scaled: false,
  });
  assert.equal(filesIn(drop({ 'text/plain': 'words' })), undefined);
});

test("accepts a folder's files with their paths, without generated ones", async () => {
  const folder = folderEntry('docs', [
    fileEntry('a.md', 'A'),
    folderEntry('node_modules', [fileEntry('x.js', 'x')]),
    folderEntry('deep', [fileEntry('b.md', 'B')]),
  ]);
  const taken = await filesIn(drop({}, [], [folder]))?.();
  assert.deepEqual(
    taken?.attachments.map(({ name }) => name),
    ['docs/a.md', 'docs/deep/b.md'],
  );
  assert.equal(taken.skipped, 0);
});

test('cuts a large folder with a notice', async () => {
  const folder = folderEntry(
    'many',
    Array.from({ length: 200 }, (_, at) => fileEntry(`${at}.txt`, 'x')),
  );
  const taken = await filesIn(drop({}, [], [folder]))?.();
  assert.equal(taken?.attachments.length, 50);
  assert.ok(taken.skipped > 0);
});

test('accepts dropped problems as one line each', () => {
  const resource = { scheme: 'file', path: '/w/a.ts' };
  const problems = [
    { resource, message: 'Wrong.\nVery.', startLineNumber: 10, source: 'ts' },
    { resource, message: 'Odd.', startLineNumber: 12 },
    { uri: resource },
    'junk',
  ];
  const type = 'application/vnd.code.diagnostics';
  assert.deepEqual(droppedProblems(drop({ [type]: JSON.stringify(problems) })), {
    type: 'resource',
    uri: 'attachment:///2%20problems.txt',
    name: '2 problems.txt',
    text: '/w/a.ts:10: Wrong.\\nVery. (ts)\n/w/a.ts:12: Odd.\n',
  });
  assert.equal(droppedProblems(drop({ [type]: '{}' })), undefined);
  assert.equal(droppedProblems(drop({})), undefined);
});
