import { randomBytes } from 'node:crypto';

/** The names of all drafts of this window. They are random, so none is ever the name of somebody else's file. */
const names = new Set<string>();

/**
 * Returns a hidden and unique name for a draft, which is written beside a file and then takes its place. The review ignores the draft, also if
 * it looks for it once it's gone.
 */
export function newDraftName(name: string): string {
  const draft = `.${name.slice(0, 80)}.${randomBytes(6).toString('hex')}.parley-draft`;
  names.add(draft);
  return draft;
}

/** Returns true for the name of a draft that this window has written. Another program's file with such a name isn't one. */
export function isOwnDraft(name: string): boolean {
  return names.has(name);
}
