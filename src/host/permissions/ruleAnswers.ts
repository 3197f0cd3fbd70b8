import type { Memento } from 'vscode';
import { isRecord } from '../../shared/values/isRecord';
import type { ListedRule } from '../../shared/permissions/permissionRules';

const key = 'parley.ruleAnswers';
const most = 500;

export type LastAnswer = NonNullable<ListedRule['lastAnswer']>;

/** When each rule last answered. Stores only the agent and the kind of request, because commands can contain secrets. */
export class RuleAnswers {
  private readonly memory: Memento;

  constructor(memory: Memento) {
    this.memory = memory;
  }

  of(id: string): LastAnswer | undefined {
    const all = this.all();
    return Object.hasOwn(all, id) ? all[id] : undefined;
  }

  note(ids: readonly string[], answer: LastAnswer): void {
    const others = Object.entries(this.all()).filter(([id]) => !ids.includes(id));
    const kept = [...others.slice(-most), ...ids.map((id) => [id, answer] as const)];
    void this.memory.update(key, Object.fromEntries(kept));
  }

  private all(): Readonly<Record<string, LastAnswer>> {
    const value = this.memory.get(key);
    return isRecord(value) ? (value as Readonly<Record<string, LastAnswer>>) : {};
  }
}
