export const goalStatuses = ['active', 'paused', 'blocked', 'limited', 'complete'] as const;
export type GoalStatus = (typeof goalStatuses)[number];

/** What an agent works on until it is reached. Everything but the objective is there only if the agent says it. */
export interface Goal {
  readonly objective: string;
  readonly status?: GoalStatus;
  /** How often the agent has gone on because the goal wasn't reached. */
  readonly iterations?: number;
  readonly tokens?: number;
  /** How long the agent has worked on it, in seconds. */
  readonly seconds?: number;
  /** Why it isn't reached yet, in the agent's words. */
  readonly reason?: string;
}

/** The longest goal that can be set. */
export const longestGoal = 4000;

/** Reads a message that sets or clears a goal, as agents do; undefined if it's another one. */
export function goalOfMessage(text: string): Goal | 'none' | undefined {
  const objective = /^\/goal\s+(\S[\s\S]*)$/.exec(text)?.[1]?.trim();
  if (!objective) return undefined;
  return objective === 'clear' ? 'none' : { objective };
}
