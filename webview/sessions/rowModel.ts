import type { EntryId } from '../../src/shared/values/ids';
import type { ToWebview } from '../../src/shared/pages/messages';
import {
  holdPlaces,
  isShown,
  sectionsOf,
  type AgentListEnd,
  type FoundSession,
  type RowFilter,
  type RowSection,
  type SessionRow,
} from '../../src/shared/pages/sessionRows';
import { layOut, type RowLayout, type ShownRow } from './rowLayout';

/** The list of sessions as the page has it: all rows, what limits them, and the order in which they are shown. */
export class RowModel {
  private readonly all = new Map<string, SessionRow>();
  private found: readonly FoundSession[] = [];
  private foundFor = '';
  private sections: readonly RowSection[] = [];
  private filter: RowFilter = {};
  private searched = '';
  private showsArchived = false;
  private isLoaded = false;
  private listEnds: readonly AgentListEnd[] = [];
  private deletedCount = 0;

  /** Whether the host has sent the list. */
  get isReady(): boolean {
    return this.isLoaded;
  }

  get rows(): readonly SessionRow[] {
    return [...this.all.values()];
  }

  get ends(): readonly AgentListEnd[] {
    return this.listEnds;
  }

  /** The number of sessions that the user can bring back. */
  get deleted(): number {
    return this.deletedCount;
  }

  get limits(): RowFilter {
    return this.filter;
  }

  get text(): string {
    return this.searched;
  }

  /** Whether archived sessions are unfolded. A search also finds them while they are folded. */
  get isArchiveOpen(): boolean {
    return this.showsArchived;
  }

  get archived(): number {
    return this.rows.filter((row) => row.isArchived && isShown(row, this.filter, this.searched)).length;
  }

  /** Takes a message from the host. Returns whether it is about the list. */
  take(message: ToWebview): boolean {
    switch (message.type) {
      case 'sessions':
        this.all.clear();
        this.isLoaded = true;
        break;
      case 'sessionsChanged':
        for (const id of message.removed) this.all.delete(id);
        break;
      case 'foundSessions':
        // An answer to what was typed before.
        if (message.text === this.searched.trim()) {
          this.found = message.found;
          this.foundFor = message.text;
        }
        return true;
      default:
        return false;
    }
    for (const row of message.rows) this.all.set(row.id, row);
    this.listEnds = message.ends;
    this.deletedCount = message.deleted;
    return true;
  }

  /** Forgets what the lists of agents had: they ended when the list was last closed. */
  forgetAgentLists(): void {
    for (const [id, { place }] of this.all) if (place === 'agent') this.all.delete(id);
    this.listEnds = [];
  }

  search(text: string): void {
    this.searched = text;
    if (text.trim() === '') this.found = [];
  }

  limit(filter: RowFilter): void {
    this.filter = filter;
  }

  setArchiveOpen(isOpen: boolean): void {
    this.showsArchived = isOpen;
  }

  /** Returns the entry in which the searched words were said. */
  entryOf(id: string): EntryId | undefined {
    return this.found.find((one) => one.id === id)?.entry;
  }

  /** Returns where everything is. With `isHeld`, rows stay where they were. */
  layOut(now: number, isHeld: boolean): RowLayout {
    const isSearching = this.searched.trim() !== '';
    const rows = this.rows.filter(
      (row) => isShown(row, this.filter, this.searched) && (!row.isArchived || this.showsArchived || isSearching),
    );
    this.sections = isHeld ? holdPlaces(this.sections, rows) : sectionsOf(rows, now);
    return layOut(this.sections, isSearching && this.foundFor === this.searched.trim() ? this.foundRows() : []);
  }

  private foundRows(): ShownRow[] {
    return this.found.flatMap(({ id, sentence }) => {
      const row = this.all.get(id);
      return row && isShown(row, this.filter, '') ? [{ ...row, sentence }] : [];
    });
  }
}
