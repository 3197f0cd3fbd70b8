/** A decision by key. */
export type DecisionKey = 'keep' | 'undo' | 'keepFile' | 'undoFile';

/** How long after a look whether they count the next one comes, in milliseconds. */
const lookMs = 50;

/**
 * Keys that were pressed while the page rearranges, or while it carries out the decision before. They count as soon as what they decide is
 * in sight, in their order, unless the user takes them back.
 */
export class HeldPresses {
  private keys: readonly DecisionKey[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly isReady: () => boolean;
  private readonly act: (key: DecisionKey) => void;
  private readonly changed: (next: DecisionKey | undefined) => void;

  /** `changed` is called with the key that counts next. */
  constructor(
    isReady: () => boolean,
    act: (key: DecisionKey) => void,
    changed: (next: DecisionKey | undefined) => void,
  ) {
    this.isReady = isReady;
    this.act = act;
    this.changed = changed;
  }

  press(key: DecisionKey): void {
    this.keys = [...this.keys, key];
    this.look();
  }

  /** Lets the keys count that can by now. */
  look(): void {
    clearTimeout(this.timer);
    while (this.keys.length > 0 && this.isReady()) {
      const [key, ...others] = this.keys;
      this.keys = others;
      if (key) this.act(key);
    }
    this.changed(this.keys[0]);
    if (this.keys.length > 0) this.timer = setTimeout(() => this.look(), lookMs);
  }

  /** Forgets all keys. Returns whether there were any. */
  drop(): boolean {
    const had = this.keys.length > 0;
    this.keys = [];
    clearTimeout(this.timer);
    if (had) this.changed(undefined);
    return had;
  }
}
