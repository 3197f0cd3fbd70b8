// The editor's settings: the defaults of the manifest, and the values of the user and of the workspace.
import { readFileSync } from 'node:fs';
import { ConfigurationTarget, editor, type Uri } from '../unit-support/vscode';

interface Manifest {
  readonly contributes: { readonly configuration: unknown };
}

interface Section {
  readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly scope?: string }>>;
}

/** The settings of a window. The user's are those of `editor.settings`. */
export class DeskSettings {
  private readonly defaults: Readonly<Record<string, unknown>>;
  /** Settings that a workspace can't have. */
  private readonly ofUserAlone: ReadonlySet<string>;
  private readonly ofWorkspace: Record<string, unknown> = {};

  /** The members of `vscode.workspace`. */
  readonly api = {
    getConfiguration: (section = '') => this.of(section),
    onDidChangeConfiguration: (listener: (event: unknown) => unknown, self?: unknown) =>
      editor.subscribe('workspace.onDidChangeConfiguration', listener.bind(self)),
  };

  constructor() {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    const sections = [manifest.contributes.configuration].flat() as readonly Section[];
    const all = sections.flatMap(({ properties }) => Object.entries(properties));
    this.defaults = Object.fromEntries(all.map(([name, { default: value }]) => [name, value]));
    this.ofUserAlone = new Set(
      all.flatMap(([name, { scope }]) => (scope === 'machine' || scope === 'application' ? [name] : [])),
    );
  }

  /** Changes a setting of the user, or of the workspace. */
  set(name: string, value: unknown, target: 'user' | 'workspace' = 'user'): void {
    const values = target === 'user' ? editor.settings : this.ofWorkspace;
    if (value === undefined) Reflect.deleteProperty(values, name);
    else values[name] = structuredClone(value);
    editor.fire('workspace.onDidChangeConfiguration', {
      affectsConfiguration: (section: string) => name === section || name.startsWith(`${section}.`),
    });
  }

  private of(section: string) {
    const nameOf = (key: string) => [section, key].filter((part) => part !== '').join('.');
    return {
      get: (key: string, otherwise?: unknown) => uncloneable(this.get(nameOf(key)) ?? otherwise),
      has: (key: string) => this.get(nameOf(key)) !== undefined,
      inspect: (key: string) => {
        const name = nameOf(key);
        return {
          key: name,
          ...(name in this.defaults && { defaultValue: this.defaults[name] }),
          ...(name in editor.settings && { globalValue: structuredClone(editor.settings[name]) }),
          ...(name in this.ofWorkspace && { workspaceValue: structuredClone(this.ofWorkspace[name]) }),
          ...sectionOf(this.ofWorkspace, name),
        };
      },
      update: (key: string, value: unknown, target?: number | boolean | Uri) => {
        const isOfUser = target === ConfigurationTarget.Global || target === true;
        if (!isOfUser && this.ofUserAlone.has(nameOf(key))) {
          return Promise.reject(new Error(`Unable to write ${nameOf(key)} to Workspace Settings.`));
        }
        this.set(nameOf(key), value, isOfUser ? 'user' : 'workspace');
        return Promise.resolve();
      },
    };
  }

  /** The value that applies. The user's objects and the workspace's are merged, as the editor does. */
  private get(name: string): unknown {
    const known = { ...this.defaults, ...editor.settings, ...this.ofWorkspace };
    const outer = name in known ? undefined : Object.keys(known).find((one) => name.startsWith(`${one}.`));
    if (outer !== undefined) return inside(this.get(outer), name.slice(outer.length + 1));
    const parts = Object.keys(known).filter((one) => one.startsWith(`${name}.`));
    if (!(name in known) && parts.length > 0) {
      return Object.fromEntries(parts.map((one) => [one.slice(name.length + 1), this.get(one)]));
    }
    const layers = [this.defaults[name], editor.settings[name], this.ofWorkspace[name]].filter(
      (value) => value !== undefined,
    );
    const value = layers.every(isPlain)
      ? layers.reduce<object>((all, layer) => ({ ...all, ...layer }), {})
      : layers.at(-1);
    return structuredClone(layers.length === 0 ? undefined : value);
  }
}

/** As the editor gives objects: they can be read and changed, which changes no setting, and nothing can clone them. */
function uncloneable(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? new Proxy(value, {}) : value;
}

/** What an object has at a path, whose names are joined by dots. */
function inside(value: unknown, path: string): unknown {
  if (!isPlain(value)) return undefined;
  const all = value as Readonly<Record<string, unknown>>;
  if (path in all) return all[path];
  const outer = Object.keys(all).find((key) => path.startsWith(`${key}.`));
  return outer === undefined ? undefined : inside(all[outer], path.slice(outer.length + 1));
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What the workspace sets in a whole section. */
function sectionOf(values: Readonly<Record<string, unknown>>, section: string) {
  const own = Object.entries(values).filter(([name]) => name.startsWith(`${section}.`));
  if (own.length === 0) return undefined;
  return { workspaceValue: Object.fromEntries(own.map(([name, value]) => [name.slice(section.length + 1), value])) };
}
