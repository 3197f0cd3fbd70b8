/** Remembers what the user was told, for all windows. */
export interface ToldMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

/** Tells the user each thing once until a time. */
export class ToldOnce {
  private readonly memory: ToldMemory;
  private readonly memoryKey: string;
  private readonly now: () => number;

  constructor(memory: ToldMemory, memoryKey: string, now: () => number) {
    this.memory = memory;
    this.memoryKey = memoryKey;
    this.now = now;
  }

  /** Returns whether the user hasn't been told about this yet, and remembers until a time that they are told now. */
  isNews(key: string, until: number): boolean {
    const { memory, memoryKey, now } = this;
    const told = (memory.get(memoryKey) ?? {}) as Readonly<Record<string, number>>;
    if ((told[key] ?? 0) > now()) return false;
    const current = Object.entries(told).filter(([, until]) => until > now());
    void memory.update(memoryKey, Object.fromEntries([...current, [key, until]]));
    return true;
  }
}
