import { createHmac, randomBytes } from 'node:crypto';

/** Known to this window only, so that nobody else can give a file the name of one of its drafts. */
const secret = randomBytes(32);

/**
 * Returns a hidden and unique name for a draft, which is written beside a file and then takes its place. The review ignores the draft, also if
 * it looks for it once it's gone.
 */
export function newDraftName(name: string): string {
  const start = `.${name.slice(0, 80)}.${randomBytes(6).toString('hex')}`;
  return `${start}${signOf(start)}.parley-draft`;
}

/** Returns true for the name of a draft that this window has written. Another program's file with such a name isn't one. */
export function isOwnDraft(name: string): boolean {
  const [, start, sign] = /^(\..*\.[0-9a-f]{12})([0-9a-f]{16})\.parley-draft$/s.exec(name) ?? [];
  return start !== undefined && signOf(start) === sign;
}

function signOf(start: string): string {
  return createHmac('sha256', secret).update(start).digest('hex').slice(0, 16);
}
