import { asObject } from '../../shared/values/decodeValue';

/** What a reviewing agent says about a place, as it wrote it. Nothing of it can be relied on. */
export interface WrittenRemark {
  /** Empty if the remark is about no file. */
  readonly path: string;
  /** Counted from 1; 0 if the remark is about no line. */
  readonly line: number;
  readonly text: string;
}

/** Longer answers, remarks, and lists are cut. */
const longestAnswer = 400_000;
const longestText = 4000;
const longestPath = 1000;
const mostRemarks = 200;

/**
 * Reads the remarks in a reviewing agent's answer: JSON as it was asked for, or lines that begin with a place. What is neither isn't a
 * remark.
 */
export function parseRemarks(answer: string): readonly WrittenRemark[] {
  const text = answer.slice(0, longestAnswer).replace(/\r\n?/g, '\n');
  const found = jsonIn(text)
    .flatMap((value) => remarksIn(value, 0))
    .slice(0, mostRemarks);
  if (found.some(({ path }) => path !== '')) return unique(found);
  // JSON without places may be something else, such as a tool's error that the answer quotes.
  const lines = linesIn(text).slice(0, mostRemarks);
  return unique(lines.length > 0 ? lines : found);
}

/** Returns every JSON value in a text that may have remarks: those in code blocks, or else from the first bracket to the last one. */
function jsonIn(text: string): readonly unknown[] {
  const blocks = fencesIn(text).flatMap((block) => parsed(block));
  if (blocks.length > 0) return blocks;
  const pieces = [
    ['[', ']'],
    ['{', '}'],
  ].map(([open = '', close = '']) => text.slice(Math.max(0, text.indexOf(open)), text.lastIndexOf(close) + 1));
  for (const piece of pieces) {
    const value = parsed(piece);
    if (value.flatMap((one) => remarksIn(one, 0)).length > 0) return value;
  }
  return text.split('\n').flatMap((line) => (/^\s*\{/.test(line) ? parsed(line) : []));
}

/** Returns the contents of the fenced blocks. One that isn't closed ends with the text. */
function fencesIn(text: string): readonly string[] {
  const blocks: string[] = [];
  let fence: string | undefined;
  let lines: string[] = [];
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined) {
      if (mark !== undefined) [fence, lines] = [mark, []];
    } else if (mark !== undefined && mark.startsWith(fence) && line.trim() === mark) {
      blocks.push(lines.join('\n'));
      fence = undefined;
    } else lines.push(line);
  }
  return fence === undefined ? blocks : [...blocks, lines.join('\n')];
}

/** Parses JSON as models write it: with commas before brackets, or one object per line. */
function parsed(text: string): readonly unknown[] {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return [];
  for (const variant of [trimmed, trimmed.replace(/,(\s*[\]}])/g, '$1')]) {
    try {
      return [JSON.parse(variant) as unknown];
    } catch {
      // The next variant may be valid.
    }
  }
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  if (lines.length < 2) return [];
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line.trim().replace(/,$/, '')) as unknown];
    } catch {
      return [];
    }
  });
}

const pathKeys = ['path', 'file', 'filePath', 'file_path', 'filename', 'fileName', 'location'];
const lineKeys = ['line', 'startLine', 'start_line', 'lineNumber', 'line_number', 'lines', 'newLine'];
const textKeys = ['text', 'remark', 'comment', 'message', 'body', 'description', 'issue', 'title', 'suggestion'];

/** Returns the remarks in a value: it is one, or a list of them, or has such lists. */
function remarksIn(value: unknown, depth: number): WrittenRemark[] {
  if (depth > 4) return [];
  if (Array.isArray(value)) return value.slice(0, mostRemarks).flatMap((one) => remarksIn(one, depth + 1));
  const fields = asObject(value);
  if (!fields) return [];
  const text = textKeys
    .map((key) => own(fields, key))
    .find((one): one is string => typeof one === 'string' && one.trim() !== '');
  const path = pathKeys.map((key) => own(fields, key)).find((one): one is string => typeof one === 'string');
  if (text !== undefined) {
    const line = lineKeys.map((key) => lineIn(own(fields, key))).find((one) => one > 0) ?? 0;
    const place = path === undefined ? undefined : placeIn(path);
    return remark(place?.path ?? path ?? '', line > 0 ? line : (place?.line ?? 0), text);
  }
  return Object.values(fields)
    .slice(0, mostRemarks)
    .flatMap((one) => (typeof one === 'object' ? remarksIn(one, depth + 1) : []));
}

function own(fields: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

/** Reads a line: a number, text such as "12-15" or "L12", or the first of a list. */
function lineIn(value: unknown): number {
  const first: unknown = Array.isArray(value) ? value[0] : value;
  const line = typeof first === 'string' ? Number(/\d{1,9}/.exec(first)?.[0] ?? 0) : first;
  return typeof line === 'number' && Number.isSafeInteger(line) && line > 0 ? line : 0;
}

/** What may be around a place: list marks, emphasis, code, links, and brackets. */
const before = /^(?:[\s>#|*_`([-]|\d{1,3}[.)]\s)+/;

/** Reads lines that begin with a place. The lines after one belong to its remark until the next place, heading, or empty line. */
function linesIn(text: string): readonly WrittenRemark[] {
  const found: { place: Place; text: string[] }[] = [];
  let current: { place: Place; text: string[] } | undefined;
  let isFence = false;
  for (const line of text.split('\n')) {
    if (/^ {0,3}(`{3}|~{3})/.test(line)) isFence = !isFence;
    const start = isFence || line.length > longestText ? undefined : placeAtStart(line);
    if (start) {
      current = { place: start.place, text: [start.rest] };
      found.push(current);
    } else if (current && isRest(line, current.text)) current.text.push(line);
    else current = undefined;
  }
  return found.flatMap(({ place, text: lines }) => remark(place.path, place.line, lines.join('\n')));
}

/** Returns whether a line continues a remark. Below a place without words, the words may follow after an empty line. */
function isRest(line: string, lines: readonly string[]): boolean {
  const hasWords = lines.some((one) => one.trim() !== '');
  return line.trim() === '' ? !hasWords : !/^\s*(#{1,6}\s|[-*]\s|\d{1,3}[.)]\s)/.test(line) || !hasWords;
}

interface Place {
  readonly path: string;
  readonly line: number;
}

function placeAtStart(line: string): { readonly place: Place; readonly rest: string } | undefined {
  const content = line.replace(before, '');
  const end = /^(?:[a-z]:)?[^\s:,`*|()<>"'\]]{1,1000}/i.exec(content)?.[0];
  if (end === undefined || !/[./\\]/.test(end)) return undefined;
  const after = content.slice(end.length);
  const fragment = /^(.{1,990})#L?(\d{1,9})(?:-L?\d{1,9})?$/.exec(end);
  if (fragment) return { place: { path: fragment[1] ?? '', line: Number(fragment[2]) }, rest: restOf(after) };
  const number =
    /^:(\d{1,9})(?::\d{1,9})?(?:\s?[-–]\s?\d{1,9}(?::\d{1,9})?)?/.exec(after) ??
    /^[`*_\])]*(?:,|:| \()?\s?\(?(?:lines?|l)\.? ?(\d{1,9})(?:\s?[-–]\s?\d{1,9})?/i.exec(after) ??
    /^[`*_]* ?\| ?`?(\d{1,9})(?:-\d{1,9})?`? ?(?=\|)/.exec(after);
  if (!number) return undefined;
  return { place: { path: end, line: Number(number[1]) }, rest: restOf(after.slice(number[0].length)) };
}

/** Returns the words after a place. Of a link, its target is skipped. */
function restOf(after: string): string {
  return after
    .replace(/^[`*_]*\](?:\([^()\s]{0,1000}\))?/, '')
    .replace(/^[\s`*_\])|:,.–—-]+/, '')
    .replace(/\s*\|\s*$/, '');
}

/** Reads a path that ends with a line. */
function placeIn(path: string): Place | undefined {
  const [, file, line] = /^(.{1,990})(?::|#L?)(\d{1,9})(?:[-:]L?\d{1,9})*$/.exec(path.slice(0, longestPath)) ?? [];
  return file === undefined ? undefined : { path: file, line: Number(line) };
}

function remark(path: string, line: number, text: string): WrittenRemark[] {
  const words = text.trim();
  if (words === '') return [];
  const cut = words.length > longestText ? `${words.slice(0, longestText)}…` : words;
  return [{ path: path.trim().slice(0, longestPath), line: Math.max(0, line), text: cut }];
}

function unique(remarks: readonly WrittenRemark[]): readonly WrittenRemark[] {
  return [...new Map(remarks.map((one) => [JSON.stringify([one.path, one.line, one.text]), one])).values()];
}

/**
 * Returns which of the reviewed files a path means. Agents write it absolute, relative, shortened, or with the prefixes of a diff. Undefined
 * if none or more than one can be meant.
 */
export function fileMeant<F extends { readonly path: string; readonly absolute: string }>(
  written: string,
  files: readonly F[],
): F | undefined {
  const path = normal(written);
  if (path === '') return undefined;
  const exact = files.find((file) => normal(file.absolute) === path || normal(file.path) === path);
  if (exact) return exact;
  const bare = path.replace(/^(?:a|b)\//, '');
  const same = files.find((file) => normal(file.path) === bare);
  if (same) return same;
  const ends = (long: string, short: string) => long.endsWith(`/${short}`);
  const near = files.filter((file) => ends(normal(file.absolute), bare) || ends(bare, normal(file.path)));
  return near.length === 1 ? near[0] : undefined;
}

function normal(path: string): string {
  return path
    .trim()
    .replace(/^file:\/\//, '')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '');
}
