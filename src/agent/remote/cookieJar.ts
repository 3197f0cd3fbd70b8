interface Cookie {
  readonly value: string;
  /** Milliseconds since the epoch; undefined for the lifetime of the jar. */
  readonly expires: number | undefined;
  readonly path: string;
  readonly isSecure: boolean;
}

/** Maximum number of cookies kept, and the maximum length of one, in characters. */
const [most, longest] = [50, 8192];

/**
 * The cookies of one remote agent (https://www.rfc-editor.org/rfc/rfc6265). They are returned only to the URL that set
 * them, so domains play no role. Kept in memory only.
 */
export class CookieJar {
  private readonly cookies = new Map<string, Cookie>();
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Stores the cookies of a response to a request for this URL. */
  store(url: URL, lines: readonly string[] | undefined): void {
    for (const line of lines ?? []) if (line.length <= longest) this.storeOne(url, line);
  }

  /** Returns the `Cookie` header for a request to this URL, or undefined if there is no cookie for it. */
  header(url: URL): string | undefined {
    const isSecure = url.protocol === 'https:' || url.protocol === 'wss:';
    const found: string[] = [];
    for (const [name, cookie] of this.cookies) {
      if (cookie.expires !== undefined && cookie.expires <= this.now()) this.cookies.delete(name);
      else if ((isSecure || !cookie.isSecure) && isUnder(url.pathname, cookie.path)) {
        found.push(`${name}=${cookie.value}`);
      }
    }
    return found.length === 0 ? undefined : found.join('; ');
  }

  private storeOne(url: URL, line: string): void {
    const [pair = '', ...attributes] = line.split(';');
    const equals = pair.indexOf('=');
    const name = pair.slice(0, equals).trim();
    if (equals < 1 || name === '') return;
    const value = pair.slice(equals + 1).trim();
    let expires: number | undefined;
    let hasMaxAge = false;
    let path = '/';
    let isSecure = false;
    for (const attribute of attributes) {
      const [key = '', ...rest] = attribute.split('=');
      const text = rest.join('=').trim();
      switch (key.trim().toLowerCase()) {
        case 'max-age':
          if (!/^-?\d+$/.test(text)) break;
          hasMaxAge = true;
          expires = this.now() + Number(text) * 1000;
          break;
        case 'expires':
          if (!hasMaxAge && !Number.isNaN(Date.parse(text))) expires = Date.parse(text);
          break;
        case 'path':
          if (text.startsWith('/')) path = text;
          break;
        case 'secure':
          isSecure = true;
      }
    }
    this.cookies.delete(name);
    if (expires !== undefined && expires <= this.now()) return;
    if (!isUnder(url.pathname, path) || this.cookies.size >= most) return;
    this.cookies.set(name, { value, expires, path, isSecure });
  }
}

function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}
