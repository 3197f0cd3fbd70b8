import { addTokens, type TokenCounts, type TurnUsage } from '../../shared/amounts/turnUsage';

/** The tokens of a running turn. What the agent reports at the end replaces what was added up from its requests. */
export class RequestTally {
  private readonly model: string;
  private own: TokenCounts | undefined;
  private all: TokenCounts | undefined;
  private answer: TurnUsage | undefined;

  /** `model` is the name of the model selected when the turn began, if known. */
  constructor(model: string | undefined) {
    this.model = model ?? '';
  }

  /** Adds a request to a model, by the agent itself or by a subagent. */
  add(counts: TokenCounts, isOwn: boolean): void {
    if (isOwn) this.own = this.own ? addTokens(this.own, counts) : counts;
    this.all = this.all ? addTokens(this.all, counts) : counts;
  }

  /** The agent has reported the tokens of the whole turn. */
  answered(usage: TurnUsage | undefined): void {
    this.answer = usage ?? this.answer;
  }

  /** Whether the agent itself reported the tokens at the end. */
  get isReported(): boolean {
    return this.answer !== undefined;
  }

  /** Undefined if the agent hasn't reported any tokens. */
  get usage(): TurnUsage | undefined {
    if (this.answer || !this.all) return this.answer;
    return { ...(this.own ?? this.all), models: [{ ...this.all, model: this.model }] };
  }
}
