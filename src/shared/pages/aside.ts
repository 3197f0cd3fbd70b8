/** A question that isn't part of the conversation, and what became of it. */
export interface Aside {
  readonly question: string;
  readonly state: 'asked' | 'answered' | 'failed';
  /** The agent's answer, or why there is none. Empty while the agent is asked. */
  readonly text: string;
}
