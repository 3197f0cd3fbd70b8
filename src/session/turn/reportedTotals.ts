import { compact } from '../../shared/values/decodeValue';
import {
  addTokens,
  plainCounts,
  type ModelTokens,
  type TokenCounts,
  type TurnUsage,
} from '../../shared/amounts/turnUsage';

const keys = ['total', 'input', 'output', 'thought', 'cachedRead', 'cachedWrite'] as const;

/** What agents report at the end of a turn, by the ids of the registry. Others are told by what they report. */
const known: Readonly<Record<string, 'turn' | 'session'>> = {
  'github-copilot-cli': 'session',
  'github-copilot': 'session',
  'claude-acp': 'turn',
  'claude-code-acp': 'turn',
  'codex-acp': 'turn',
  gemini: 'turn',
  'qwen-code': 'turn',
  opencode: 'turn',
  kilo: 'turn',
  nanocoder: 'turn',
};

/** Tells the tokens of a turn from what an agent reports: those of the turn, or those of the session so far. */
export class ReportedTotals {
  /** The last report on this connection. */
  private last: TurnUsage | undefined;
  /** What the turns before the last report are short of, should the reports be about single turns. */
  private missing: TokenCounts | undefined;
  private areTurns = false;

  /** The agent counts from the beginning, or goes on where it was. */
  restart(): void {
    this.last = undefined;
    this.missing = undefined;
  }

  /**
   * Returns the tokens of a turn. Totals never fall: until a report does, an agent that isn't known is taken to report them. Then its earlier
   * turns were counted too low, and this one has what they are short of in its models. `spent` is what was counted of the session before.
   */
  turnOf(usage: TurnUsage, agentId: string, spent: TokenCounts | undefined): TurnUsage | undefined {
    const kind = known[agentId] ?? (this.areTurns ? 'turn' : undefined);
    const { last } = this;
    const before: TurnUsage | undefined = last ?? (kind === 'turn' ? undefined : spent);
    this.last = usage;
    if (kind === 'turn' || !before || before.total === 0) return usage;
    if (fell(before, usage)) {
      const { missing } = this;
      this.missing = undefined;
      // The agent counts from the beginning.
      if (kind === 'session' || !last) return usage;
      this.areTurns = true;
      if (!missing) return usage;
      const [only] = usage.models ?? [];
      return {
        ...usage,
        models: [...(usage.models ?? [{ ...plainCounts(usage), model: '' }]), { ...missing, model: only?.model ?? '' }],
      };
    }
    this.missing = this.missing ? addTokens(this.missing, before) : plainCounts(before);
    const turn = between(before, usage);
    const models = modelsBetween(before.models, usage.models);
    return turn.total === 0 ? undefined : { ...turn, ...compact({ models }) };
  }
}

function fell(before: TokenCounts, after: TokenCounts): boolean {
  return keys.some((key) => (after[key] ?? 0) < (before[key] ?? 0));
}

function between(before: TokenCounts, after: TokenCounts): TokenCounts {
  const less = (key: keyof TokenCounts) =>
    after[key] === undefined ? undefined : Math.max(0, after[key] - (before[key] ?? 0));
  const [thought, cachedRead, cachedWrite] = [less('thought'), less('cachedRead'), less('cachedWrite')];
  return {
    total: less('total') ?? 0,
    input: less('input') ?? 0,
    output: less('output') ?? 0,
    ...compact({ thought, cachedRead, cachedWrite }),
  };
}

function modelsBetween(
  before: readonly ModelTokens[] | undefined,
  after: readonly ModelTokens[] | undefined,
): readonly ModelTokens[] | undefined {
  const rows =
    before &&
    after?.map((row) => {
      const earlier = before.find(({ model }) => model === row.model);
      return { ...(earlier ? between(earlier, row) : row), model: row.model };
    });
  return rows?.filter(({ total }) => total > 0);
}
