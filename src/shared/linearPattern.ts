import { RE2JS } from 're2js';

/** A regular expression of somebody else's, matched in time that grows with the length of the text and no faster. */
export interface LinearPattern {
  /** Whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** Whether it matches the text as a whole. */
  testWhole(text: string): boolean;
}

/** Longer patterns (UTF-16 units) are not compiled. */
const longestPattern = 1000;
/** A program of more instructions costs too much for each character: `{1000}` multiplies what it repeats. */
const largestProgram = 20_000;
const mostKept = 64;

/** What was compiled last, the oldest first: a form's pattern is tried at every keystroke. */
const compiled = new Map<string, LinearPattern | undefined>();

/**
 * The pattern in JavaScript's syntax, compiled; undefined when it has a mistake, when it needs what no linear matching can do
 * (lookaround and references back), or when it is too large.
 */
export function linearPattern(source: string, flags: '' | 'i' = ''): LinearPattern | undefined {
  if (source.length > longestPattern) return undefined;
  const key = `${flags}/${source}`;
  const known = compiled.get(key);
  if (known || compiled.has(key)) return known;
  const pattern = compile(source, flags);
  compiled.set(key, pattern);
  for (const oldest of compiled.keys()) {
    if (compiled.size <= mostKept) break;
    compiled.delete(oldest);
  }
  return pattern;
}

function compile(source: string, flags: '' | 'i'): LinearPattern | undefined {
  try {
    const program = RE2JS.compile(RE2JS.translateRegExp(source), flags === 'i' ? RE2JS.CASE_INSENSITIVE : 0);
    if (program.programSize() > largestProgram) return undefined;
    return { test: (text) => program.test(text), testWhole: (text) => program.testExact(text) };
  } catch {
    // Not a pattern of this engine's.
    return undefined;
  }
}
