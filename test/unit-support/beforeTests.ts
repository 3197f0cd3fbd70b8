import { beforeEach } from 'node:test';

/**
 * Prepares what the tests of a file share, once, before the first test. Several files share a process, and Node doesn't wait for a `before` that
 * is registered after another file's first test.
 */
export function beforeTests(prepare: () => Promise<void>): void {
  let prepared: Promise<void> | undefined;
  beforeEach(() => (prepared ??= prepare()));
}
