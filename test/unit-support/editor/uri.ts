// Addresses of resources, as the editor reads and writes them. The contract says how (test/contract/uri.ts).
import { posix, sep, win32 } from 'node:path';

export interface UriParts {
  readonly scheme: string;
  readonly authority?: string | undefined;
  readonly path?: string | undefined;
  readonly query?: string | undefined;
  readonly fragment?: string | undefined;
}

const isWindows = sep === '\\';
const hasRoot = new Set(['file', 'http', 'https']);

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;

  private constructor({ scheme, authority = '', path = '', query = '', fragment = '' }: UriParts, strict = false) {
    this.scheme = scheme === '' && !strict ? 'file' : scheme;
    this.authority = authority;
    this.path = hasRoot.has(this.scheme) && !path.startsWith('/') ? `/${path}` : path;
    this.query = query;
    this.fragment = fragment;
    validate(this, strict);
  }

  static file(path: string): Uri {
    const slashed = isWindows ? path.replaceAll('\\', '/') : path;
    const [, authority, rest = '/'] = /^\/\/([^/]*)(.*)$/s.exec(slashed) ?? [];
    if (authority === undefined) return new Uri({ scheme: 'file', path: slashed });
    return new Uri({ scheme: 'file', authority, path: rest || '/' });
  }

  static parse(text: string, strict = false): Uri {
    const found = /^(?:([^:/?#]+?):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?/.exec(text) ?? [];
    const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = found;
    const parts = [authority, path, query, fragment].map((part) => part.replace(/(?:%[0-9a-z]{2})+/gi, decode));
    return new Uri({ scheme, authority: parts[0], path: parts[1], query: parts[2], fragment: parts[3] }, strict);
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static joinPath(uri: Uri, ...names: string[]): Uri {
    if (uri.path === '') throw new Error('[UriError]: cannot call joinPath on URI without path');
    const isFile = isWindows && uri.scheme === 'file';
    const path = isFile ? Uri.file(win32.join(uri.fsPath, ...names)).path : posix.join(uri.path, ...names);
    return uri.with({ path });
  }

  get fsPath(): string {
    const { scheme, authority, path } = this;
    const [, drive, rest = ''] = /^\/([a-z])(:.*)$/is.exec(path) ?? [];
    const isShared = authority !== '' && path.length > 1 && scheme === 'file';
    const found = isShared ? `//${authority}${path}` : drive === undefined ? path : drive.toLowerCase() + rest;
    return isWindows ? found.replaceAll('/', '\\') : found;
  }

  with(parts: Partial<UriParts>): Uri {
    const { scheme, authority, path, query, fragment } = this;
    const now = { scheme, authority, path, query, fragment };
    const next = { ...now, ...Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) };
    const isSame = Object.entries(now).every(([name, value]) => next[name as keyof typeof now] === value);
    return isSame ? this : new Uri(next);
  }

  toString(isReadable = false): string {
    const { scheme, authority, path, query, fragment } = this;
    const write = (text: string, also = '') =>
      isReadable ? text.replaceAll('#', '%23').replaceAll('?', '%3F') : encode(text, also);
    const [, user, host = ''] = /^(?:([^@]*)@)?(.*)$/s.exec(authority) ?? [];
    const [, name = '', port = ''] = /^(.*?)(:[^:]*)?$/s.exec(host.toLowerCase()) ?? [];
    const [, login = '', password] = /^(.*?)(?::([^:]*))?$/s.exec(user ?? '') ?? [];
    const signedIn = password === undefined ? write(login) : `${write(login)}:${write(password, '[]:')}`;
    const whole = `${user === undefined ? '' : `${signedIn}@`}${write(name, '[]:')}${port}`;
    const lowered = path.replace(/^\/?[A-Z]:/, (drive) => drive.toLowerCase());
    return [
      `${scheme}:`,
      authority !== '' || scheme === 'file' ? '//' : '',
      authority === '' ? '' : whole,
      write(lowered, '/'),
      query === '' ? '' : `?${write(query)}`,
      fragment === '' ? '' : `#${isReadable ? fragment : encode(fragment)}`,
    ].join('');
  }

  toJSON(): UriParts {
    const { scheme, authority, path, query, fragment } = this;
    return { scheme, authority, path, query, fragment };
  }
}

function validate({ scheme, authority, path }: Uri, strict: boolean): void {
  if (scheme === '' && strict) throw new Error(`[UriError]: Scheme is missing: {path: "${path}"}`);
  if (!/^\w[\w+.-]*$/.test(scheme)) throw new Error('[UriError]: Scheme contains illegal characters.');
  if (authority !== '' && path !== '' && !path.startsWith('/')) {
    throw new Error('[UriError]: With an authority, the path must either be empty or begin with a slash.');
  }
  if (authority === '' && path.startsWith('//')) {
    throw new Error('[UriError]: Without an authority, the path cannot begin with two slash characters.');
  }
}

/** Decodes what is an escape, and keeps what only looks like one. */
function decode(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes.length > 3 ? escapes.slice(0, 3) + decode(escapes.slice(3)) : escapes;
  }
}

/** Encodes everything but letters, digits, and these characters. */
function encode(text: string, also = ''): string {
  return text.replace(/[^\w.~-]/gu, (one) => (also.includes(one) ? one : encodeWhole(one)));
}

function encodeWhole(character: string): string {
  // Some that have a meaning in addresses are left as they are by the function of the language.
  return encodeURIComponent(character).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}
