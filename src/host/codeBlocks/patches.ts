import { compact } from '../../shared/values/decodeValue';

/** A piece of a patch: lines that the file has, and what replaces them. */
export interface PatchPiece {
  readonly old: readonly string[];
  readonly fresh: readonly string[];
  /** The line where the patch expects them, starting at 1. It decides among several equal places. */
  readonly line?: number;
}

/** The changes of one file. */
export interface FilePatch {
  /** The path in the patch. Absent if it has none. */
  readonly path?: string;
  readonly kind: 'change' | 'create' | 'delete' | 'rename';
  readonly pieces: readonly PatchPiece[];
}

const search = /^<{5,9} ?(?:SEARCH|ORIGINAL|HEAD)\b/;
const middle = /^={5,9}\s*$/;
const replaced = /^>{5,9} ?(?:REPLACE|UPDATED|\S*)/;
const hunkHead = /^@@+(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)?)? ?.*@@|^@@/;

/** Returns the patches in a code block: unified diffs, or search and replace blocks. Undefined if it is other code. */
export function patchesIn(lines: readonly string[], language: string): readonly FilePatch[] | undefined {
  if (lines.some((line) => search.test(line))) return searchBlocks(lines);
  const isDiff = /^(?:diff|patch|udiff)$/i.test(language);
  const hasHead = lines.some((line, at) => line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') === true);
  if (hasHead || (isDiff && lines.some((line) => hunkHead.test(line)))) return unifiedDiff(lines);
  return isDiff ? bareDiff(lines) : undefined;
}

function searchBlocks(lines: readonly string[]): readonly FilePatch[] | undefined {
  const files: { path: string | undefined; pieces: PatchPiece[] }[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!search.test(line)) {
      if (line.trim() !== '')
        path = line
          .trim()
          .replace(/^(?:#+|\/\/)\s*/, '')
          .replace(/:$/, '');
      continue;
    }
    const split = lines.findIndex((one, index) => index > at && middle.test(one));
    const end = lines.findIndex((one, index) => index > split && replaced.test(one));
    if (split < 0 || end < 0) return undefined;
    const last = files.at(-1);
    const piece = { old: lines.slice(at + 1, split), fresh: lines.slice(split + 1, end) };
    if (last && (path === undefined || last.path === path)) last.pieces.push(piece);
    else files.push({ path, pieces: [piece] });
    path = undefined;
    at = end;
  }
  return files.map(({ path: file, pieces }) => ({
    ...compact({ path: file }),
    kind: pieces.every(({ old }) => old.every((line) => line.trim() === '')) ? 'create' : 'change',
    pieces,
  }));
}

function unifiedDiff(lines: readonly string[]): readonly FilePatch[] {
  const files: { old: string; fresh: string; pieces: { old: string[]; fresh: string[]; line?: number }[] }[] = [];
  let isInHunk = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      files.push({ old: pathOf(line), fresh: pathOf(next), pieces: [] });
      isInHunk = false;
      at++;
      continue;
    }
    if (/^diff --git /.test(line)) {
      isInHunk = false;
      continue;
    }
    const head = hunkHead.exec(line);
    if (head) {
      if (files.length === 0) files.push({ old: '', fresh: '', pieces: [] });
      files.at(-1)?.pieces.push({ old: [], fresh: [], ...(head[1] === undefined ? {} : { line: Number(head[1]) }) });
      isInHunk = true;
      continue;
    }
    const piece = files.at(-1)?.pieces.at(-1);
    // The line after the last break of the block isn't part of the hunk.
    if (isInHunk && piece && !(line === '' && at === lines.length - 1)) addLine(piece, line);
  }
  return files.map(({ old, fresh, pieces }) => {
    const kind =
      fresh === '/dev/null' ? 'delete' : old === '/dev/null' ? 'create' : old === fresh ? 'change' : 'rename';
    const path = fresh === '/dev/null' ? old : fresh;
    return { ...(path === '' ? {} : { path }), kind, pieces };
  });
}

/** Lines with signs, but without the heads of a unified diff. */
function bareDiff(lines: readonly string[]): readonly FilePatch[] | undefined {
  if (!lines.some((line) => /^[+-]/.test(line))) return undefined;
  const piece = { old: [], fresh: [] };
  const end = lines.at(-1) === '' ? lines.length - 1 : lines.length;
  for (const line of lines.slice(0, end)) addLine(piece, line);
  return [{ kind: 'change', pieces: [piece] }];
}

function addLine({ old, fresh }: { old: string[]; fresh: string[] }, line: string): void {
  if (line.startsWith('\\')) return;
  if (!line.startsWith('+')) old.push(line.startsWith('-') || line.startsWith(' ') ? line.slice(1) : line);
  if (!line.startsWith('-')) fresh.push(line.startsWith('+') || line.startsWith(' ') ? line.slice(1) : line);
}

function pathOf(line: string): string {
  const path = (line.slice(4).split('\t')[0] ?? '').trim().replace(/^"(.*)"$/, '$1');
  return path.replace(/^[ab]\//, '');
}

/**
 * Returns the file's lines with all pieces applied, or undefined if the place of one isn't known. Lines that the patch doesn't change stay
 * exactly as they are.
 */
export function applyPieces(file: readonly string[], pieces: readonly PatchPiece[]): readonly string[] | undefined {
  let lines: readonly string[] = file;
  let shift = 0;
  for (const piece of pieces) {
    const at = placeOf(lines, piece, shift);
    if (at === undefined) return undefined;
    const kept = lines.slice(at, at + piece.old.length);
    lines = [...lines.slice(0, at), ...withKept(piece, kept), ...lines.slice(at + piece.old.length)];
    shift += piece.fresh.length - piece.old.length;
  }
  return lines;
}

function placeOf(lines: readonly string[], { old, line }: PatchPiece, shift: number): number | undefined {
  if (old.length === 0 || (old.length === 1 && old[0]?.trim() === '')) {
    // Nothing says where new lines belong, unless the file is empty.
    return lines.every((one) => one === '') ? 0 : undefined;
  }
  const found = matches(lines, old, (one) => one);
  const places = found.length > 0 ? found : matches(lines, old, (one) => one.trimEnd());
  if (places.length <= 1 || line === undefined) return places.length === 1 ? places[0] : undefined;
  const wanted = line - 1 + shift;
  const [nearest, other] = places.sort((a, b) => Math.abs(a - wanted) - Math.abs(b - wanted));
  const isClear = other === undefined || Math.abs(other - wanted) > Math.abs((nearest ?? 0) - wanted);
  return isClear ? nearest : undefined;
}

function matches(lines: readonly string[], old: readonly string[], shape: (line: string) => string): number[] {
  const wanted = old.map(shape);
  const all = lines.map(shape);
  const places: number[] = [];
  for (let at = 0; at + wanted.length <= all.length; at++) {
    if (wanted.every((line, index) => all[at + index] === line)) places.push(at);
  }
  return places;
}

/** Returns the new lines, with the file's own spelling of those that stay. */
function withKept({ old, fresh }: PatchPiece, kept: readonly string[]): string[] {
  const own = new Map(old.map((line, index) => [line, kept[index] ?? line]));
  return fresh.map((line) => own.get(line) ?? line);
}
