/** A path for display: the file name, and its folder relative to the session's folder. */
export interface ShownPath {
  readonly name: string;
  readonly folder: string;
  /** The path relative to the session's folder, or the full path if it is outside. */
  readonly short: string;
  readonly isOutside: boolean;
}

/** Splits a path with either kind of separator. `cwd` is the session's folder and can be empty. */
export function showPath(path: string, cwd: string): ShownPath {
  const base = cwd.replace(/[\\/]+$/, '');
  const isAbsolute = /^(?:[\\/]|[a-z]:)/i.test(path);
  const isInside = base !== '' && path.startsWith(base) && /^[\\/]/.test(path.slice(base.length));
  const short = isInside ? path.slice(base.length + 1) : path;
  const parts = short.replace(/[\\/]+$/, '').split(/[\\/]/);
  const name = parts.at(-1) ?? short;
  const folder = short.slice(0, Math.max(0, short.replace(/[\\/]+$/, '').length - name.length - 1));
  return { name: name === '' ? short : name, folder, short, isOutside: isAbsolute && !isInside && base !== '' };
}
