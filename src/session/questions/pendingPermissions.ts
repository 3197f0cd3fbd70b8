import type { EntryId, RequestKey } from '../../shared/ids';
import type { PermissionOption } from '../../shared/transcript';

/** A question that waits for the user, and the entry it stands in. */
export interface PendingPermission {
  readonly request: RequestKey;
  readonly entry: EntryId;
  readonly options: readonly PermissionOption[];
}

/** The one place that knows who waits for which answer. Every question is answered exactly once. */
export class PendingPermissions {
  private readonly waiting = new Map<
    RequestKey,
    PendingPermission & { readonly resolve: (option: PermissionOption | undefined) => void }
  >();

  get size(): number {
    return this.waiting.size;
  }

  /** Resolves to the chosen option, or to undefined when the question is withdrawn. */
  add(question: PendingPermission): Promise<PermissionOption | undefined> {
    return new Promise((resolve) => {
      this.waiting.set(question.request, { ...question, resolve });
    });
  }

  isOpenIn(entry: EntryId): boolean {
    for (const question of this.waiting.values()) if (question.entry === entry) return true;
    return false;
  }

  /** Answers with one of the offered options; undefined, and nothing happens, for a question or an option that is not there. */
  answer(request: RequestKey, optionId: string): { question: PendingPermission; option: PermissionOption } | undefined {
    const question = this.waiting.get(request);
    const option = question?.options.find((offered) => offered.optionId === optionId);
    if (!question || !option) return undefined;
    this.waiting.delete(request);
    question.resolve(option);
    return { question, option };
  }

  /** Withdraws one question; undefined when it is no longer open. */
  cancel(request: RequestKey): PendingPermission | undefined {
    const question = this.waiting.get(request);
    if (!question) return undefined;
    this.waiting.delete(request);
    question.resolve(undefined);
    return question;
  }

  /** Withdraws all, or those in certain entries; returns what was open, oldest first. */
  cancelAll(isIn: (entry: EntryId) => boolean = () => true): readonly PendingPermission[] {
    const open = [...this.waiting.values()].filter(({ entry }) => isIn(entry));
    for (const question of open) this.waiting.delete(question.request);
    for (const question of open) question.resolve(undefined);
    return open;
  }
}
