/** The context of an integration test. */
export interface TestContext {
  /** Runs `action` after the test, passed or failed. The last one added runs first. */
  after(action: () => unknown): void;
  /** Ends the test as skipped and reports the reason. */
  skip(reason: string): never;
}

/** The body of a test. It fails by throwing. */
export type TestBody = (context: TestContext) => unknown;

/** Thrown by `skip`. */
class Skipped extends Error {}

/** The result of a test. Empty if it passed. */
interface Ending {
  readonly error?: string;
  readonly skipped?: string;
}

interface RegisteredTest {
  readonly name: string;
  readonly body: TestBody;
  readonly timeoutMs: number;
  readonly once: boolean;
}

/** A line of the report, read by the runner outside the editor. */
export type TestReport =
  | { readonly type: 'start'; readonly name: string }
  | { readonly type: 'pass'; readonly name: string; readonly durationMs: number }
  | { readonly type: 'skip'; readonly name: string; readonly reason: string }
  | { readonly type: 'fail'; readonly name: string; readonly durationMs: number; readonly error: string }
  | { readonly type: 'end'; readonly passed: number; readonly failed: number; readonly skipped: number };

/** Marks report lines among the other output of the extension host. */
export const reportPrefix = 'PARLEY_TEST ';

const registered: RegisteredTest[] = [];
let group = '';

/** Groups the tests that `define` declares under a name. */
export function suite(name: string, define: () => void): void {
  const outer = group;
  group = outer ? `${outer} › ${name}` : name;
  try {
    define();
  } finally {
    group = outer;
  }
}

/**
 * Declares a test. It fails if it throws or takes longer than `timeoutMs` milliseconds. With `once`, it leaves something in the window, and can't be
 * repeated.
 */
export function test(name: string, body: TestBody, timeoutMs = 120_000, once = false): void {
  registered.push({ name: group ? `${group} › ${name}` : name, body, timeoutMs, once });
}

/**
 * Runs the declared tests in order and resolves to the number of failures. `filter` selects tests whose name contains
 * it, or one of its parts between `|`, and `PARLEY_TEST_TIMES` says how often each one runs. Tests in `left` count as skipped, for the reason there. If no
 * test ran, that counts as a failure.
 */
export async function runTests(
  filter: string,
  report: (line: TestReport) => void,
  left: ReadonlyMap<string, string> = new Map(),
): Promise<number> {
  let passed = 0;
  let failed = 0;
  let skipped = 0;
  const picked = registered.filter(({ name }) => filter.split('|').some((part) => name.includes(part)));
  const times = Number(process.env['PARLEY_TEST_TIMES'] ?? 1);
  const again = Array.from({ length: times - 1 }, () => picked.filter(({ once }) => !once));
  for (const item of [...again, picked].flat()) {
    const reason = left.get(item.name);
    if (reason !== undefined) {
      skipped += 1;
      report({ type: 'skip', name: item.name, reason });
      continue;
    }
    report({ type: 'start', name: item.name });
    const start = Date.now();
    const ending = await runOne(item);
    const durationMs = Date.now() - start;
    if (ending.skipped !== undefined) {
      skipped += 1;
      report({ type: 'skip', name: item.name, reason: ending.skipped });
    } else if (ending.error === undefined) {
      passed += 1;
      report({ type: 'pass', name: item.name, durationMs });
    } else {
      failed += 1;
      report({ type: 'fail', name: item.name, durationMs, error: ending.error });
    }
  }
  report({ type: 'end', passed, failed, skipped });
  return passed + failed + skipped === 0 ? 1 : failed;
}

async function runOne(item: RegisteredTest): Promise<Ending> {
  const cleanups: (() => unknown)[] = [];
  const context: TestContext = {
    after: (action) => cleanups.unshift(action),
    skip: (reason) => {
      throw new Skipped(reason);
    },
  };
  let failure: string | undefined;
  let skipped: string | undefined;
  try {
    await withTimeout(item.timeoutMs, () => item.body(context));
  } catch (error) {
    if (error instanceof Skipped) skipped = error.message;
    else failure = describe(error);
  }
  for (const cleanup of cleanups) {
    try {
      await withTimeout(item.timeoutMs, cleanup);
    } catch (error) {
      failure ??= `while cleaning up: ${describe(error)}`;
    }
  }
  if (failure !== undefined) return { error: failure };
  return skipped === undefined ? {} : { skipped };
}

async function withTimeout(timeoutMs: number, action: () => unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${timeoutMs} ms.`)), timeoutMs);
  });
  try {
    await Promise.race([Promise.resolve().then(action), expired]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
