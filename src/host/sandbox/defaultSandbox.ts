import { Disposable } from '../../shared/values/disposable';
import { Emitter, type Event } from '../../shared/values/event';
import { compact } from '../../shared/values/decodeValue';
import type { DefaultSandboxState } from '../../shared/pages/messages';
import type { SandboxMode } from '../../shared/limits/sandboxMode';
import type { MissingNeed } from '../../sandbox/missingNeed';

export interface DefaultSandboxNeeds {
  /** Returns what agents are held to in new sessions. */
  readonly mode: () => SandboxMode;
  readonly onDidChangeMode: Event<void>;
  /** Resolves to what is missing for a sandbox on this machine; rejects if that isn't known. */
  readonly findMissing: () => Promise<MissingNeed | undefined>;
}

/** What agents are held to in new sessions, and what is missing for that on this machine. */
export class DefaultSandbox extends Disposable {
  private readonly needs: DefaultSandboxNeeds;
  private readonly changed = this.register(new Emitter<void>());
  readonly onDidChange = this.changed.event;
  private missing: MissingNeed | undefined;
  private mode: SandboxMode;

  constructor(needs: DefaultSandboxNeeds) {
    super();
    this.needs = needs;
    this.mode = needs.mode();
    this.register(
      needs.onDidChangeMode(() => {
        const mode = needs.mode();
        if (mode === this.mode) return;
        this.mode = mode;
        this.changed.fire();
        void this.check();
      }),
    );
  }

  get state(): DefaultSandboxState {
    const { problem, line } = (this.mode !== 'off' && this.missing) || {};
    return { mode: this.mode, ...compact({ problem, line }) };
  }

  /** Finds out again what is missing, if agents run in a sandbox. Never rejects. */
  async check(): Promise<void> {
    if (this.mode === 'off') return;
    try {
      this.missing = await this.needs.findMissing();
    } catch {
      // Without the user's environment, nothing starts either, and that says why.
      this.missing = undefined;
    }
    if (!this.isDisposed) this.changed.fire();
  }
}
