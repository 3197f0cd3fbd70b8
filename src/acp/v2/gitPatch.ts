/** A piece of a patched file: some lines with what surrounds them, before and after. */
export interface PatchHunk {
  readonly oldText: string;
  readonly newText: string;
  /** The line of the new file where it begins, starting at 1. */
  readonly line: number;
}

/** The patch of one file. */
export interface FilePatch {
  /** Absent if the patch creates the file. */
  readonly oldPath?: string;
  /** Absent if the patch deletes the file. */
  readonly newPath?: string;
  readonly hunks: readonly PatchHunk[];
}

const hunkHead = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/;
/** Lines between the names and the first hunk, and of changes without hunks. */
const ignored =
  /^(index |(old|new) mode |(deleted|new) file mode |(dis)?similarity index |Binary files |GIT binary patch)/;

/**
 * Reads a patch in the format of git, whose paths are absolute in this protocol. Returns undefined if any line isn't
 * understood, because a patch is shown to a user who decides about all of it. The numbers in the heads of hunks decide
 * what belongs to them.
 */
export function readGitPatch(text: string): readonly FilePatch[] | undefined {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const files: { oldPath?: string; newPath?: string; hunks: PatchHunk[] }[] = [];
  let at = 0;
  while (at < lines.length) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    at += 1;
    if (line.startsWith('diff --git ')) {
      files.push({ hunks: [] });
      continue;
    }
    if (line.startsWith('--- ') && lines[at]?.startsWith('+++ ')) {
      // Some tools leave out the line of git.
      const known = files.at(-1);
      const file: (typeof files)[number] = known && known.hunks.length === 0 ? known : { hunks: [] };
      if (file !== known) files.push(file);
      setPath(file, 'oldPath', line.slice(4));
      setPath(file, 'newPath', (lines[at] ?? '').replace(/\r$/, '').slice(4));
      at += 1;
      continue;
    }
    const file = files.at(-1);
    if (!file) return undefined;
    const moved = /^(?:rename|copy) (from|to) (.*)$/.exec(line);
    if (moved) {
      setPath(file, moved[1] === 'from' ? 'oldPath' : 'newPath', moved[2] ?? '');
      continue;
    }
    const head = hunkHead.exec(line);
    if (head) {
      const found = readHunk(lines, at, Number(head[1] ?? 1), Number(head[3] ?? 1));
      if (!found) return undefined;
      file.hunks.push({ oldText: found.oldText, newText: found.newText, line: Math.max(1, Number(head[2])) });
      at = found.end;
      continue;
    }
    if (!ignored.test(line)) return undefined;
    // What follows are encoded bytes, up to the next file.
    if (line === 'GIT binary patch') while (at < lines.length && !lines[at]?.startsWith('diff --git ')) at += 1;
  }
  return files;
}

function readHunk(
  lines: readonly string[],
  from: number,
  oldCount: number,
  newCount: number,
): { readonly oldText: string; readonly newText: string; readonly end: number } | undefined {
  let [oldText, newText, at, olds, news] = ['', '', from, oldCount, newCount];
  while (olds > 0 || news > 0) {
    const line = lines[at];
    if (line === undefined) return undefined;
    at += 1;
    // Some tools drop the space of an empty line.
    const sign = line === '' ? ' ' : line.charAt(0);
    if (!' -+'.includes(sign)) return undefined;
    // "\\ No newline at end of file" is about the line before it.
    const isLast = lines[at]?.startsWith('\\') === true;
    if (isLast) at += 1;
    const text = isLast ? line.slice(1) : `${line.slice(1)}\n`;
    if (sign !== '+') {
      oldText += text;
      olds -= 1;
    }
    if (sign !== '-') {
      newText += text;
      news -= 1;
    }
    if (olds < 0 || news < 0) return undefined;
  }
  return { oldText, newText, end: at };
}

function setPath(file: { oldPath?: string; newPath?: string }, key: 'oldPath' | 'newPath', written: string): void {
  const path = pathOf(written);
  if (path !== undefined) file[key] = path;
}

/** Returns a path as git writes it: in quotes with escapes if it has special characters, with a time after a tab. */
function pathOf(written: string): string | undefined {
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(written)?.[1];
  const path = quoted === undefined ? (written.split('\t')[0] ?? '') : unescaped(quoted);
  if (path === '/dev/null' || path === '') return undefined;
  // The prefixes are none of this protocol, but some tools write them in front of an absolute path.
  return path.replace(/^[ab](?=\/\/|\/[A-Za-z]:[\\/])/, '').replace(/^\/\//, '/');
}

function unescaped(text: string): string {
  const bytes: number[] = [];
  const named: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };
  for (const [part, octal, letter] of text.matchAll(/\\([0-3][0-7]{2})|\\(.)|[^\\]+/gs)) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...new TextEncoder().encode(letter === undefined ? part : (named[letter] ?? letter)));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}
