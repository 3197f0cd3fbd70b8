/** Something that the user can be told as it is: what happened, why, and what to do. */
export class RegistryError extends Error {}

/** What a failed fetch says, from the layer that knows. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` hides what happened in the cause of its "fetch failed".
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
}
