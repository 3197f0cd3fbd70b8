import { TextDocument } from 'vscode-languageserver-textdocument';
import type { NesContext, NesPosition, NesRange } from '../acp/decode/nesMessages';
import { diffText } from '../shared/diff/diffText';

/** A change of a document, as the editor reports it. Without a range, it is the whole text. */
export interface DocumentChange {
  readonly range?: NesRange;
  readonly text: string;
}

/** Edits of one file that are no further apart than this, in lines and milliseconds, are one entry of the history. */
const [nearLines, nearMs] = [10, 60_000];
/** How much is remembered: files, entries of the history, and actions. */
const most = 50;
/** Maximum length of a text that is sent along, in UTF-16 units. */
const longestText = 100_000;
const longestDiff = 10_000;

/** An entry of the history that may still grow. */
interface OpenEdit {
  readonly before: string;
  line: number;
  at: number;
}

interface Served {
  document: TextDocument;
  edit: OpenEdit | undefined;
}

type Action = NonNullable<NesContext['userActions']>[number];
type PastEdit = NonNullable<NesContext['editHistory']>[number];

/** Copies of the documents that an agent knows, and what the user did in them lately. */
export class Documents {
  /** In the order in which they were used; the last one is the latest. */
  private readonly served = new Map<string, Served>();
  private readonly history: PastEdit[] = [];
  private readonly actions: Action[] = [];
  private readonly now: () => number;

  constructor(now: () => number) {
    this.now = now;
  }

  get(uri: string): TextDocument | undefined {
    return this.served.get(uri)?.document;
  }

  /** The versions of all documents, by URI. */
  get versions(): ReadonlyMap<string, number> {
    return new Map([...this.served].map(([uri, { document }]) => [uri, document.version]));
  }

  open(uri: string, languageId: string, version: number, text: string): void {
    this.served.set(uri, { document: TextDocument.create(uri, languageId, version, text), edit: undefined });
  }

  change(uri: string, version: number, changes: readonly DocumentChange[]): void {
    const file = this.served.get(uri);
    if (!file) return;
    this.use(uri, file);
    const before = file.document.getText();
    const at = changes.find(({ range }) => range)?.range?.start ?? { line: 0, character: 0 };
    this.continueEdit(uri, file, before, at.line);
    file.document = TextDocument.update(file.document, [...changes], version);
    const isTyped = changes.length === 1 && changes[0]?.text.length === 1;
    this.note(isTyped ? 'insertChar' : 'edit', uri, at);
  }

  close(uri: string): void {
    const file = this.served.get(uri);
    if (file) this.endEdit(uri, file);
    this.served.delete(uri);
  }

  /** Notes that the cursor was moved. */
  moved(uri: string, position: NesPosition): void {
    const file = this.served.get(uri);
    if (!file) return;
    this.use(uri, file);
    this.note('cursorMovement', uri, position);
  }

  /** Returns the last edits, the oldest first. */
  lastEdits(count: number): readonly PastEdit[] {
    const open = [...this.served].flatMap(([uri, file]) => {
      const diff = file.edit && diffOf(file.edit.before, file.document.getText());
      return diff ? [{ uri, diff }] : [];
    });
    return last([...this.history, ...open], count);
  }

  /** Returns the last actions, the oldest first. */
  lastActions(count: number): readonly Action[] {
    return last(this.actions, count);
  }

  /** Returns the files used last besides this one, the latest first. */
  recentFiles(count: number, besides: string): NonNullable<NesContext['recentFiles']> {
    const files = [...this.served.values()].map(({ document }) => document).reverse();
    return files
      .filter(({ uri }) => uri !== besides)
      .slice(0, count)
      .map((document) => ({
        uri: document.uri,
        languageId: document.languageId,
        text: document.getText().slice(0, longestText),
      }));
  }

  private use(uri: string, file: Served): void {
    this.served.delete(uri);
    this.served.set(uri, file);
  }

  private continueEdit(uri: string, file: Served, before: string, line: number): void {
    const now = this.now();
    const { edit } = file;
    if (edit && Math.abs(edit.line - line) <= nearLines && now - edit.at <= nearMs) {
      edit.line = line;
      edit.at = now;
      return;
    }
    this.endEdit(uri, file);
    file.edit = { before, line, at: now };
  }

  private endEdit(uri: string, file: Served): void {
    const diff = file.edit && diffOf(file.edit.before, file.document.getText());
    file.edit = undefined;
    if (!diff) return;
    this.history.push({ uri, diff });
    if (this.history.length > most) this.history.shift();
  }

  private note(action: string, uri: string, position: NesPosition): void {
    this.actions.push({ action, uri, position, timestampMs: this.now() });
    if (this.actions.length > most) this.actions.shift();
  }
}

function diffOf(before: string, after: string): string | undefined {
  const diff = diffText(before, after);
  return diff === '' || diff.length > longestDiff ? undefined : diff;
}

function last<T>(items: readonly T[], count: number): readonly T[] {
  return count === 0 ? [] : items.slice(-count);
}
