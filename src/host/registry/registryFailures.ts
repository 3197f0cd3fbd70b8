import type { Runtime } from '../../agent/registry/runtimes';

/** An error whose message is shown to the user unchanged: what failed, why, and what to do. */
export class RegistryError extends Error {}

/** A program that agents need is missing or too old. */
export class RuntimeError extends RegistryError {
  readonly needs: Runtime;

  constructor(needs: Runtime, message: string) {
    super(message);
    this.needs = needs;
  }
}

/** Returns the reason of a failed fetch, from the layer that has it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` hides the reason in the cause of its "fetch failed".
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
