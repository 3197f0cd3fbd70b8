/** What a test of the integration suites gets. */
export interface TestContext {
  /** Runs `action` when the test has ended, passed or not; the last one added runs first. */
  after(action: () => unknown): void;
}

/** The body of a test; it fails by throwing. */
export type TestBody = (context: TestContext) => unknown;

interface RegisteredTest {
  readonly name: string;
  readonly body: TestBody;
  readonly timeoutMs: number;
}

/** One line of the report: what the runner outside the editor reads. */
export type TestReport =
  | { readonly type: 'start'; readonly name: string }
  | { readonly type: 'pass'; readonly name: string; readonly durationMs: number }
  | { readonly type: 'fail'; readonly name: string; readonly durationMs: number; readonly error: string }
  | { readonly type: 'end'; readonly passed: number; readonly failed: number };

/** Marks report lines among everything else that an extension host prints. */
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

/** Declares a test. It fails when it throws, or when it takes longer than `timeoutMs` milliseconds. */
export function test(name: string, body: TestBody, timeoutMs = 30_000): void {
  registered.push({ name: group ? `${group} › ${name}` : name, body, timeoutMs });
}

/**
 * Runs the declared tests one after another, in their order, and resolves to how many failed; `filter` leaves out the
 * tests whose name does not hold it, or none of its parts between `|`. Having run none counts as a failure.
 */
export async function runTests(filter: string, report: (line: TestReport) => void): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const item of registered) {
    if (!filter.split('|').some((part) => item.name.includes(part))) continue;
    report({ type: 'start', name: item.name });
    const start = Date.now();
    const error = await runOne(item);
    const durationMs = Date.now() - start;
    if (error === undefined) {
      passed += 1;
      report({ type: 'pass', name: item.name, durationMs });
    } else {
      failed += 1;
      report({ type: 'fail', name: item.name, durationMs, error });
    }
  }
  report({ type: 'end', passed, failed });
  return passed + failed === 0 ? 1 : failed;
}

async function runOne(item: RegisteredTest): Promise<string | undefined> {
  const cleanups: (() => unknown)[] = [];
  const context: TestContext = { after: (action) => cleanups.unshift(action) };
  let failure: string | undefined;
  try {
    await withTimeout(item.timeoutMs, () => item.body(context));
  } catch (error) {
    failure = describe(error);
  }
  for (const cleanup of cleanups) {
    try {
      await withTimeout(item.timeoutMs, cleanup);
    } catch (error) {
      failure ??= `while cleaning up: ${describe(error)}`;
    }
  }
  return failure;
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
