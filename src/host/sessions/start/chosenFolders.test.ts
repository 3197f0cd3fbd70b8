import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { chosenFolders } from './chosenFolders';
import { changeFolderChoice, readFolderChoice } from './folderChoice';

const base = mkdtempSync(join(tmpdir(), 'parley-folders-'));
after(() => rmSync(base, { recursive: true }));
const folder = (name: string) => {
  mkdirSync(join(base, name), { recursive: true });
  return join(base, name);
};
const [a, b, c, far] = [folder('a'), folder('b'), folder('c'), folder('far')];
const gone = join(base, 'gone');
const question = {
  spec: { name: 'Claude' },
  cwd: a,
  roots: [a, b, c],
  own: undefined,
  stored: undefined,
  can: { additionalDirectories: true },
};
const chosen = changeFolderChoice({ known: [far] }, [a, b, c], new Set([a, b, far]));
const wordsOf = ({ setup }: ReturnType<typeof chosenFolders>) => {
  return setup.notices?.map(({ title, description = '' }) => `${title}${description}`).join('\n') ?? '';
};

test('a new session gets the chosen workspace folders and added folders', () => {
  const { setup, inside } = chosenFolders({ ...question, stored: chosen });
  assert.deepEqual(setup.additionalDirectories, [b, far]);
  assert.deepEqual(inside, [b, far]);
  assert.equal(setup.notices, undefined);
  // A session in another folder gets this one as an additional folder.
  assert.deepEqual(chosenFolders({ ...question, cwd: b, stored: chosen }).setup.additionalDirectories, [a, far]);
});

test('choosing exactly the workspace folders is the same as no choice', () => {
  const all = changeFolderChoice({ known: [far] }, [a, b, c], new Set([a, b, c]));
  assert.deepEqual(chosenFolders({ ...question, stored: all }), { setup: {} });
});

test('a reopened session keeps its folders whatever was chosen since', () => {
  const { setup, inside } = chosenFolders({ ...question, own: [far], stored: { ...chosen, more: [] } });
  assert.deepEqual(setup.additionalDirectories, [far]);
  assert.deepEqual(inside, [far]);
});

test("sends the agent's folders back without granting access", () => {
  const { setup, inside } = chosenFolders({ ...question, own: [c, far, base] });
  assert.deepEqual(setup.additionalDirectories, [c, far, base]);
  assert.deepEqual(inside, [c]);
});

test('skips a missing folder with a notice until it exists again', () => {
  const found = chosenFolders({ ...question, own: [b, gone] });
  assert.deepEqual(found.setup.additionalDirectories, [b]);
  assert.deepEqual(found.setup.kept, { additionalDirectories: [b, gone] });
  assert.deepEqual(found.inside, [b]);
  assert.match(
    wordsOf(found),
    /^1 folder was skipped\n.*gone: it no longer exists\.\nTo change .*“Parley: Choose Folders/,
  );
});

test("lists the folders skipped because the agent doesn't support them", () => {
  const found = chosenFolders({ ...question, stored: chosen, can: undefined });
  assert.deepEqual(
    [found.setup.additionalDirectories, found.setup.kept, found.inside],
    [undefined, undefined, undefined],
  );
  assert.match(wordsOf(found), /^1 folder was skipped\n.*far: Claude doesn’t support additional folders\./);
  // The session can still access the workspace folders.
  assert.equal(wordsOf(chosenFolders({ ...question, stored: { without: [c] }, can: undefined })), '');
});

test("a session keeps its limit where its agent doesn't support folders", () => {
  const found = chosenFolders({ ...question, own: [b, far, base], stored: chosen, can: undefined });
  assert.equal(found.setup.additionalDirectories, undefined);
  assert.deepEqual(found.inside, [b, far]);
});

test('reads a stored choice even if it is damaged', () => {
  assert.deepEqual(readFolderChoice(JSON.parse(JSON.stringify(chosen))), chosen);
  assert.deepEqual(readFolderChoice({ without: ['rel', 3], more: 'x' }), { without: [], more: [], known: [] });
  assert.deepEqual(readFolderChoice(undefined), { without: [], more: [], known: [] });
});

test('keeps offering the latest twenty added folders', () => {
  const known = Array.from({ length: 25 }, (_, at) => `/far/${at}`);
  const choice = changeFolderChoice({ known }, [a], new Set(['/far/24']));
  assert.deepEqual([choice.without, choice.more, choice.known], [[a], ['/far/24'], known.slice(5)]);
});
