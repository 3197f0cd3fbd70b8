import type { Blocked } from '../../shared/limits/sandbox';
import type { TriedCall } from './refusal';

/** Reads a line of the library about a call on Linux, which it reports before the system decides; undefined for all others. */
export function readTriedCall(line: string): TriedCall | undefined {
  const [, call, path] = /^deny (\w+) (\/.*)$/s.exec(line) ?? [];
  return call === undefined || path === undefined ? undefined : { call, path };
}

/** Reads a line of the library about something that was blocked; undefined if it says nothing that users understand. */
export function readBlockedLine(line: string): Blocked | undefined {
  const host = /\bdeny network-outbound (.+):(\d{1,5})(?: \(.*\))?$/.exec(line);
  if (host) return { kind: 'host', host: (host[1] ?? '').replace(/^\[|\]$/g, ''), port: Number(host[2]) };
  // macOS: `cat(12) deny(1) file-read-data /path`. Linux: `deny openat /path`, for writes alone.
  const file = /\bdeny(?:\(\d+\))? ([\w*-]+) (\/.*)$/.exec(line);
  const path = file?.[2];
  // The library looks at paths, before the system decides: one in there is a file that is open already.
  if (path === undefined || path.startsWith('/proc/self/fd/')) return undefined;
  return { kind: /^file-read/.test(file?.[1] ?? '') ? 'read' : 'write', path };
}
