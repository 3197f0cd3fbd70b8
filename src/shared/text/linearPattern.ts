import { RE2JS } from 're2js';

/** A regular expression from outside that runs in linear time. */
export interface LinearPattern {
  /** Returns whether it matches anywhere in the text. */
  test(text: string): boolean;
  /** Returns whether it matches the whole text. */
  testWhole(text: string): boolean;
  /** Yields where it matches, in order: start and end. Skips empty matches. */
  matches(text: string): Iterable<readonly [start: number, end: number]>;
}

/** Maximum length of a pattern, in UTF-16 units. */
const longestPattern = 1000;
/**
 * Maximum number of instructions. Larger programs cost too much per character, because `{1000}` multiplies what it
 * repeats.
 */
const largestProgram = 20_000;
const mostKept = 64;

/** The most recently compiled patterns, oldest first, because a form checks its pattern on every keystroke. */
const compiled = new Map<string, LinearPattern | undefined>();

/**
 * Compiles a pattern in JavaScript syntax; undefined if it is invalid, too large, or needs a feature without linear
 * matching (lookaround and backreferences).
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
    return {
      test: (text) => program.test(text),
      testWhole: (text) => program.testExact(text),
      *matches(text) {
        const matcher = program.matcher(text);
        while (matcher.find()) if (matcher.end() > matcher.start()) yield [matcher.start(), matcher.end()];
      },
    };
  } catch {
    // This engine doesn't support the pattern.
    return undefined;
  }
}
