import { assertNever } from '../../shared/values/assert';
import type { BlockedPlace } from '../../shared/transcript/transcript';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';

const terminal = "the user can run it in the editor's terminal";

/** Returns what an agent is told of something that its sandbox blocked, on one line. */
export function agentWords({ kind, path }: BlockedPlace): string {
  const shown = path === '' ? '' : `"${showHiddenOnOneLine(path).replaceAll('"', "'").slice(0, 300)}"`;
  switch (kind) {
    case 'write':
      return `Writing to ${shown} was blocked. Write elsewhere, or ask the user: ${terminal}, or allow the place.`;
    case 'read':
      return `${shown} is hidden, so programs don't find it. Don't look for it elsewhere; ask the user if it's needed.`;
    case 'socket':
      return `Unix sockets${shown && `, such as ${shown},`} are blocked (Docker, databases, gpg-agent, ssh-agent, tsx). Use a TCP port of 127.0.0.1 inside; otherwise, ${terminal}.`;
    case 'name':
      return `Names of hosts${shown && `, such as ${shown},`} can't be looked up. Hosts are reached only through the proxy in HTTPS_PROXY, HTTP_PROXY, and ALL_PROXY; use a program that supports it.`;
    case 'key':
      return `The user's SSH keys and ssh-agent are hidden, so Git can't use ssh with them. Use an https address if it needs no login; otherwise, ${terminal}.`;
    case 'login':
      return `The user's login for ${shown} is hidden. ${terminal.charAt(0).toUpperCase()}${terminal.slice(1)}.`;
    default:
      return assertNever(kind);
  }
}
