import type { EntryId, RequestKey } from '../../shared/values/ids';
import type { PermissionOption } from '../../shared/transcript/transcript';
import type { PermissionCase } from '../services';

/** A pending question and its entry. */
export interface PendingPermission {
  readonly request: RequestKey;
  readonly entry: EntryId;
  readonly options: readonly PermissionOption[];
  /** The agent's request, as the rules judged it. */
  readonly judged?: PermissionCase;
}

/** Tracks all pending questions. Every question is answered exactly once. */
export class PendingPermissions {
  private readonly waiting = new Map<
    RequestKey,
    PendingPermission & { readonly resolve: (option: PermissionOption | undefined) => void }
  >();

  get size(): number {
    return this.waiting.size;
  }

  /** Resolves to the chosen option, or to undefined if the question is withdrawn. */
  add(question: PendingPermission): Promise<PermissionOption | undefined> {
    return new Promise((resolve) => {
      this.waiting.set(question.request, { ...question, resolve });
    });
  }

  caseOf(request: RequestKey): PermissionCase | undefined {
    return this.waiting.get(request)?.judged;
  }

  entryOf(request: RequestKey): EntryId | undefined {
    return this.waiting.get(request)?.entry;
  }

  isOpenIn(entry: EntryId): boolean {
    for (const question of this.waiting.values()) if (question.entry === entry) return true;
    return false;
  }

  /**
   * Answers with one of the offered options. Returns undefined and does nothing if the question or the option doesn't
   * exist.
   */
  answer(request: RequestKey, optionId: string): { question: PendingPermission; option: PermissionOption } | undefined {
    const question = this.waiting.get(request);
    const option = question?.options.find((offered) => offered.optionId === optionId);
    if (!question || !option) return undefined;
    this.waiting.delete(request);
    question.resolve(option);
    return { question, option };
  }

  /** Withdraws one question; returns undefined if it is no longer open. */
  cancel(request: RequestKey): PendingPermission | undefined {
    const question = this.waiting.get(request);
    if (!question) return undefined;
    this.waiting.delete(request);
    question.resolve(undefined);
    return question;
  }

  /** Withdraws all questions, or those in matching entries; returns them, oldest first. */
  cancelAll(isIn: (entry: EntryId) => boolean = () => true): readonly PendingPermission[] {
    const open = [...this.waiting.values()].filter(({ entry }) => isIn(entry));
    for (const question of open) this.waiting.delete(question.request);
    for (const question of open) question.resolve(undefined);
    return open;
  }
}
