// Values that extensions make and pass to the editor. The contract says what they keep (test/contract/values.ts).
import { Position, Range } from './positions';
import { Uri } from './uri';

/** An error of a file system, with the reason as a code. */
export class FileSystemError extends Error {
  readonly code: string;

  static FileNotFound = (about?: string | Uri) => new FileSystemError(about, 'FileNotFound');
  static FileExists = (about?: string | Uri) => new FileSystemError(about, 'FileExists');
  static FileNotADirectory = (about?: string | Uri) => new FileSystemError(about, 'FileNotADirectory');
  static FileIsADirectory = (about?: string | Uri) => new FileSystemError(about, 'FileIsADirectory');
  static NoPermissions = (about?: string | Uri) => new FileSystemError(about, 'NoPermissions');
  static Unavailable = (about?: string | Uri) => new FileSystemError(about, 'Unavailable');

  constructor(about?: string | Uri, code = 'Unknown') {
    super(about instanceof Uri ? about.toString(true) : about);
    this.name = code === 'Unknown' ? 'Error' : `${code} (FileSystemError)`;
    this.code = code;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  static readonly Folder = new ThemeIcon('folder');
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class MarkdownString {
  value: string;
  supportThemeIcons: boolean;
  supportHtml: boolean | undefined = undefined;
  isTrusted: unknown = undefined;

  constructor(value = '', supportThemeIcons = false) {
    this.value = value;
    this.supportThemeIcons = supportThemeIcons;
  }

  appendText(text: string): this {
    const escaped = text.replace(/[\\`*_{}[\]()#+\-!~]/g, '\\$&').replace(/[ \t]/g, '&nbsp;');
    return this.appendMarkdown(escaped.replaceAll('>', '\\>').replaceAll('\n', '\n\n'));
  }

  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }

  appendCodeblock(code: string, language = ''): this {
    return this.appendMarkdown(`\n\`\`\`${language}\n${code}\n\`\`\`\n`);
  }
}

export class CodeLens {
  readonly range: Range;
  command: unknown;

  constructor(range: Range, command?: unknown) {
    this.range = range;
    this.command = command;
  }

  get isResolved(): boolean {
    return this.command !== undefined;
  }
}

export class NotebookCellStatusBarItem {
  readonly text: string;
  readonly alignment: number | undefined;

  constructor(text: string, alignment?: number) {
    this.text = text;
    this.alignment = alignment;
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, place: Range | Position) {
    this.uri = uri;
    this.range = place instanceof Position ? new Range(place, place) : place;
  }
}

export class SourceBreakpoint {
  readonly location: unknown;
  readonly enabled: boolean;
  readonly condition: string | undefined;

  constructor(location: unknown, enabled = true, condition?: string) {
    this.location = location;
    this.enabled = enabled;
    this.condition = condition;
  }
}

export class LanguageModelTextPart {
  readonly value: string;

  constructor(value: string) {
    this.value = value;
  }
}

/** A command line, or a command with its arguments. */
export class ShellExecution {
  readonly commandLine: string | undefined;
  readonly command: string | undefined;
  readonly args: readonly string[] | undefined;
  readonly options: object | undefined;

  constructor(first: string, second?: readonly string[] | object, options?: object) {
    const args = Array.isArray(second) ? (second as readonly string[]) : undefined;
    this.commandLine = args ? undefined : first;
    this.command = args ? first : undefined;
    this.args = args;
    this.options = args ? options : second;
  }
}

export class ProcessExecution {
  readonly process: string;
  readonly args: readonly string[];
  readonly options: object | undefined;

  constructor(process: string, second: readonly string[] | object = [], options?: object) {
    const args = Array.isArray(second) ? (second as readonly string[]) : undefined;
    this.process = process;
    this.args = args ?? [];
    this.options = args ? options : second;
  }
}

export class Hover {
  readonly contents: readonly unknown[];
  readonly range: Range | undefined;

  constructor(contents: unknown, range?: Range) {
    this.contents = Array.isArray(contents) ? contents : [contents];
    this.range = range;
  }
}

export class TabInputText {
  readonly uri: Uri;

  constructor(uri: Uri) {
    this.uri = uri;
  }
}

export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;

  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}

export class TabInputNotebook {
  readonly uri: Uri;
  readonly notebookType: string;

  constructor(uri: Uri, notebookType: string) {
    this.uri = uri;
    this.notebookType = notebookType;
  }
}

export class TabInputWebview {
  readonly viewType: string;

  constructor(viewType: string) {
    this.viewType = viewType;
  }
}

export class CodeAction {
  readonly title: string;
  readonly kind: unknown;
  command: unknown;

  constructor(title: string, kind?: unknown) {
    this.title = title;
    this.kind = kind;
  }
}

export class TextEdit {
  readonly range: Range;
  readonly newText: string;

  static replace(range: Range, newText: string): TextEdit {
    return new TextEdit(range, newText);
  }

  static insert(at: Position, newText: string): TextEdit {
    return new TextEdit(new Range(at, at), newText);
  }

  static delete(range: Range): TextEdit {
    return new TextEdit(range, '');
  }

  constructor(range: Range, newText: string) {
    this.range = range;
    this.newText = newText;
  }
}

/** A step of an edit of the workspace. */
export interface EditStep {
  readonly what: 'set' | 'create' | 'delete' | 'rename';
  readonly uri: Uri;
  readonly to?: unknown;
  readonly options?: unknown;
}

/** What an edit of the workspace does, in order, for a test that carries it out. */
export class WorkspaceEdit {
  readonly steps: EditStep[] = [];

  get size(): number {
    return this.entries().length;
  }

  /** Adds edits after those that are there. With none, it takes back all of the file. */
  set(uri: Uri, edits: readonly unknown[] | undefined): void {
    if (edits) {
      this.steps.push({ what: 'set', uri, to: edits });
      return;
    }
    const others = this.steps.filter((step) => step.what !== 'set' || step.uri.toString() !== uri.toString());
    this.steps.splice(0, Infinity, ...others);
  }

  replace(uri: Uri, range: Range, newText: string): void {
    this.set(uri, [new TextEdit(range, newText)]);
  }

  insert(uri: Uri, at: Position, newText: string): void {
    this.set(uri, [TextEdit.insert(at, newText)]);
  }

  delete(uri: Uri, range: Range): void {
    this.set(uri, [TextEdit.delete(range)]);
  }

  get(uri: Uri): TextEdit[] {
    return this.entries().find(([file]) => file.toString() === uri.toString())?.[1] ?? [];
  }

  has(uri: Uri): boolean {
    return this.get(uri).length > 0;
  }

  entries(): [Uri, TextEdit[]][] {
    const all = new Map<string, [Uri, TextEdit[]]>();
    for (const { what, uri, to } of this.steps) {
      if (what !== 'set') continue;
      const entry = all.get(uri.toString()) ?? [uri, []];
      entry[1].push(...(to as readonly TextEdit[]));
      all.set(uri.toString(), entry);
    }
    return [...all.values()];
  }

  createFile(uri: Uri, options?: unknown): void {
    this.steps.push({ what: 'create', uri, options });
  }

  deleteFile(uri: Uri, options?: unknown): void {
    this.steps.push({ what: 'delete', uri, options });
  }

  renameFile(uri: Uri, to: Uri, options?: unknown): void {
    this.steps.push({ what: 'rename', uri, to, options });
  }
}

/** A value that is created and passed on, but never inspected. */
class Opaque {
  readonly parts: readonly unknown[];

  constructor(...parts: readonly unknown[]) {
    this.parts = parts;
  }
}
export class NotebookEdit extends Opaque {}
export class NotebookRange extends Opaque {}
export class NotebookCellData extends Opaque {}

export class RelativePattern {
  readonly baseUri: Uri;
  readonly pattern: string;

  constructor(base: Uri | string | { readonly uri: Uri }, pattern: string) {
    this.baseUri = typeof base === 'string' ? Uri.file(base) : base instanceof Uri ? base : base.uri;
    this.pattern = pattern;
  }
}

/** A problem in a file. */
export class Diagnostic {
  readonly range: Range;
  readonly message: string;
  readonly severity: number;

  constructor(range: Range, message: string, severity = 0) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}
