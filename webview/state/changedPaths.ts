/** The files with changes that wait for review, by the paths that an agent may write for them. */
export class ChangedPaths {
  /** With forward slashes. */
  private paths: ReadonlySet<string> = new Set();

  /** `paths` are relative to the session's folder `cwd`. */
  set(paths: readonly string[], cwd: string): void {
    const folder = forward(cwd).replace(/\/$/, '');
    this.paths = new Set([...paths, ...paths.map((path) => `${folder}/${path}`)]);
  }

  has(path: string): boolean {
    return this.paths.has(forward(path));
  }
}

function forward(path: string): string {
  return path.replaceAll('\\', '/');
}
