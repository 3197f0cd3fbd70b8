import { asList, asNumber, asObject, asString, compact } from '../values/decodeValue';
import type { AgentId } from '../values/ids';

/** Where a new session works: in the folder of the page, in a new worktree, in a copy of its own, or in another folder. */
export type StartPlace =
  { readonly kind: 'here' | 'worktree' | 'copy' } | { readonly kind: 'folder'; readonly path: string };

/** Who answers, and in how many tries. */
export interface StartAgent {
  readonly agent: AgentId;
  /** The name of a preset of the agent. */
  readonly preset?: string;
  readonly tries: number;
}

/** What the row below the message says. Without agents, the one of the page answers. */
export interface StartChoice {
  readonly place: StartPlace;
  readonly agents: readonly StartAgent[];
}

/** A folder that a session can work in. */
export interface FolderListing {
  readonly name: string;
  readonly path: string;
}

/** The places for a new session, and what new worktrees get without a question. */
export interface StartPlaces {
  /** The branch that new worktrees start from. */
  readonly branch?: string;
  /** The repository's other worktrees. */
  readonly worktrees: readonly FolderListing[];
  /** The workspace's other folders. */
  readonly folders: readonly FolderListing[];
  /** Whether agents can have a copy of their own. */
  readonly canCopy: boolean;
  /** What was brought along last: ignored files, and whether uncommitted changes were. */
  readonly ignored: readonly string[];
  readonly bringsChanges: boolean;
  /** The command that sets up new worktrees. Empty if there is none. */
  readonly setup: string;
  /** The command that checks tries. Empty if there is none. */
  readonly check: string;
}

/** Maximum number of tries of one message. */
export const mostTries = 4;

/** A message is sent where it is typed. */
export const plainStart: StartChoice = { place: { kind: 'here' }, agents: [] };

/** Whether a choice says nothing that isn't the case without it. */
export function isPlain({ place, agents }: StartChoice): boolean {
  return place.kind === 'here' && agents.length === 0;
}

/** Returns in how many tries a message is answered. */
export function countTries({ agents }: StartChoice): number {
  return Math.max(
    1,
    agents.reduce((sum, { tries }) => sum + tries, 0),
  );
}

/** Reads a choice that a page sent or stored. */
export function decodeStart(value: unknown): StartChoice | undefined {
  const fields = asObject(value);
  const place = decodePlace(fields?.['place']);
  const agents = asList(fields?.['agents'], decodeAgent);
  if (!place || !agents) return undefined;
  const choice = { place, agents };
  return countTries(choice) > mostTries ? undefined : choice;
}

function decodePlace(value: unknown): StartPlace | undefined {
  const fields = asObject(value);
  switch (fields?.['kind']) {
    case 'here':
    case 'worktree':
    case 'copy':
      return { kind: fields['kind'] };
    case 'folder': {
      const path = asString(fields['path']);
      return path === undefined ? undefined : { kind: 'folder', path };
    }
    default:
      return undefined;
  }
}

function decodeAgent(value: unknown): StartAgent | undefined {
  const fields = asObject(value);
  const agent = asString(fields?.['agent']);
  const tries = asNumber(fields?.['tries']);
  if (agent === undefined || tries === undefined || !Number.isInteger(tries) || tries < 1) return undefined;
  return { agent: agent as AgentId, tries, ...compact({ preset: asString(fields?.['preset']) }) };
}
