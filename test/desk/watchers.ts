// The editor's file watchers: they report what really changes on the disk.
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type Disposable, editor, EventEmitter, type RelativePattern, Uri } from '../unit-support/vscode';

type Kind = 'create' | 'change' | 'delete';

/** A folder with everything in it, including what is added later. */
class WatchedFolder {
  private readonly tell: (kind: Kind, path: string) => void;
  private readonly watchers = new Map<string, FSWatcher>();
  private readonly files = new Set<string>();

  constructor(path: string, tell: (kind: Kind, path: string) => void) {
    this.tell = () => undefined;
    this.add(path);
    this.tell = tell;
  }

  dispose(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
  }

  private look(path: string): void {
    const info = lstatSync(path, { throwIfNoEntry: false });
    const isFolder = this.watchers.has(path);
    if (info?.isDirectory() === true) {
      if (!isFolder) this.add(path);
    } else if (info) {
      const kind = this.files.has(path) ? 'change' : 'create';
      this.files.add(path);
      this.tell(kind, path);
    } else if (isFolder || this.files.has(path)) {
      this.forget(path);
      this.tell('delete', path);
    }
  }

  /** Watches first and looks then, so that nothing is missed. */
  private add(folder: string): void {
    try {
      const watcher = watch(folder, (_type, name) => {
        if (name !== null) this.look(join(folder, name));
      });
      // The folder may be removed.
      watcher.on('error', () => undefined);
      this.watchers.set(folder, watcher);
      this.tell('create', folder);
      for (const name of readdirSync(folder)) this.look(join(folder, name));
    } catch {
      // It was removed in the meantime, which its parent reports.
    }
  }

  private forget(path: string): void {
    const isIn = (other: string) => other === path || other.startsWith(path + sep);
    for (const file of [...this.files].filter(isIn)) this.files.delete(file);
    for (const [folder, watcher] of [...this.watchers]) {
      if (!isIn(folder)) continue;
      watcher.close();
      this.watchers.delete(folder);
    }
  }
}

/** The watchers of a window. Documents without unsaved text follow their files. */
export class Watchers {
  private readonly folders = new Map<string, WatchedFolder>();
  private readonly events = new EventEmitter<readonly [Kind, string]>();
  private readonly follow: (path: string) => void;

  /** The members of `vscode.workspace`. */
  readonly api = {
    createFileSystemWatcher: (
      pattern: string | RelativePattern,
      ignoreCreate = false,
      ignoreChange = false,
      ignoreDelete = false,
    ) => {
      const ignored = { create: ignoreCreate, change: ignoreChange, delete: ignoreDelete };
      const roots = () => (typeof pattern === 'string' ? editor.folders : [pattern.baseUri.fsPath]);
      const glob = globOf(typeof pattern === 'string' ? pattern : pattern.pattern);
      for (const root of roots()) this.watch(root);
      const on = (kind: Kind) => (listener: (uri: Uri) => unknown, self?: unknown, held?: Disposable[]) =>
        this.events.event(
          ([found, path]) => {
            if (found !== kind || ignored[kind]) return;
            const root = roots().find((one) => path.startsWith(one + sep));
            if (root !== undefined && glob.test(relative(root, path).replaceAll(sep, '/')))
              listener.call(self, Uri.file(path));
          },
          undefined,
          held,
        );
      return {
        onDidCreate: on('create'),
        onDidChange: on('change'),
        onDidDelete: on('delete'),
        dispose: () => undefined,
      };
    },
  };

  /** `follow` is told about the files that were written. */
  constructor(follow: (path: string) => void) {
    this.follow = follow;
  }

  dispose(): void {
    for (const folder of this.folders.values()) folder.dispose();
    this.folders.clear();
    this.events.dispose();
  }

  private watch(root: string): void {
    if (this.folders.has(root)) return;
    const tell = (kind: Kind, path: string) => {
      if (kind !== 'delete') this.follow(path);
      this.events.fire([kind, path]);
    };
    this.folders.set(root, new WatchedFolder(root, tell));
  }
}

/** What a pattern matches, of those that Parley uses: with stars and choices. */
function globOf(pattern: string): RegExp {
  const source = pattern.replace(/\*\*\/|\*\*|\*|\?|\{|\}|,|[.+^$()|[\]\\]/g, (part) => {
    switch (part) {
      case '**/':
        return '(?:.*/)?';
      case '**':
        return '.*';
      case '*':
        return '[^/]*';
      case '?':
        return '[^/]';
      case '{':
        return '(?:';
      case '}':
        return ')';
      case ',':
        return '|';
      default:
        return `\\${part}`;
    }
  });
  return new RegExp(`^${source}$`);
}
