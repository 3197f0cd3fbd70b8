import * as z from 'zod/mini';
import type { AgentId, SessionId, SessionKey } from '../../shared/ids';

/** What is known of a stored session without reading it. */
export interface StoredListing {
  readonly key: SessionKey;
  readonly title: string;
  readonly agentId: AgentId;
  readonly agentName: string;
  readonly cwd: string;
  /** The agent's own name for it; empty or absent when there is none. */
  readonly sessionId?: SessionId | '';
  /** How many entries its transcript has. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly madeAt: number;
  /** When something was said in it last; milliseconds since the epoch. */
  readonly updatedAt: number;
  /** The user has not closed it. */
  readonly isOpen: boolean;
  /** It is open in another window that lives. Told, not stored. */
  readonly isElsewhere?: boolean;
  /** It was put away, here and in its agent. */
  readonly isArchived?: boolean;
}

const shape = z.looseObject({
  key: z.string(),
  title: z.string(),
  agentId: z.string(),
  agentName: z.string(),
  cwd: z.string(),
  sessionId: z.optional(z.string()),
  size: z.number(),
  madeAt: z.number(),
  updatedAt: z.number(),
  isOpen: z.boolean(),
  isArchived: z.optional(z.boolean()),
});

/** Reads a listing; undefined when it is something else. */
export function readListing(json: unknown): StoredListing | undefined {
  return shape.safeParse(json).success ? (json as StoredListing) : undefined;
}
