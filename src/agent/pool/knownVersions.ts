import { createHash } from 'node:crypto';
import type { AgentSpec } from '../spec/agentSpec';
import { programFingerprint } from '../spec/programKey';

/** Where known versions are kept, as plain JSON: the agent's own version by its program. */
export interface VersionStore {
  read(): Readonly<Record<string, unknown>>;
  write(versions: Readonly<Record<string, string>>): void;
}

/** Maximum number of programs to remember. */
const most = 200;

/**
 * Which programs were offered protocol version 2 and don't support it, so that they aren't started twice each time. A
 * program is offered it again once it reports another version of itself.
 */
export class KnownVersions {
  private readonly store: VersionStore;

  constructor(store: VersionStore) {
    this.store = store;
  }

  /** Returns whether this agent is worth an offer of version 2, which its settings ask for. */
  mayOffer(spec: AgentSpec): boolean {
    return spec.protocolVersion === 'auto' && this.store.read()[keyOf(spec)] === undefined;
  }

  /** Call when an agent of this version of its own has agreed to a protocol version. */
  note(spec: AgentSpec, agentVersion: string, protocolVersion: number): void {
    if (spec.protocolVersion !== 'auto') return;
    const key = keyOf(spec);
    const known = Object.entries(this.store.read()).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    const before = known.find(([one]) => one === key)?.[1];
    const others = known.filter(([one]) => one !== key);
    const isOnlyFirst = protocolVersion === 1 && (before === undefined || before === agentVersion);
    if (isOnlyFirst && before !== undefined) return;
    if (!isOnlyFirst && before === undefined) return;
    const after = isOnlyFirst ? [...others, [key, agentVersion] as const] : others;
    this.store.write(Object.fromEntries(after.slice(-most)));
  }
}

/** Environments may hold secrets, so only a hash is stored. */
function keyOf(spec: AgentSpec): string {
  return createHash('sha256').update(programFingerprint(spec, '')).digest('hex').slice(0, 32);
}
