import { isAbsolute } from 'node:path';
import type { SessionKey } from '../shared/values/ids';
import { asList, asNumber, asObject, asString, compact } from '../shared/values/decodeValue';
import { asCost, asCount } from '../shared/amounts/untrustedNumber';
import { spentTokens } from '../shared/amounts/turnUsage';
import type { Cost, TurnSummary } from '../shared/amounts/turnSummary';
import { addCosts } from '../usage/usageDays';

/** How the user's command ended in a try's worktree. */
export interface CheckResult {
  /** Undefined if a signal ended it. */
  readonly exitCode?: number;
  readonly ms: number;
}

/** What a try's turns used, as the agent reported it. */
export interface TryUse {
  readonly ms: number;
  /** Undefined if no turn reported any. */
  readonly tokens?: number;
  readonly costs: readonly Cost[];
}

/** One try: a session in a worktree of its own. */
export interface Try {
  readonly session: SessionKey;
  readonly agentName: string;
  /** The name of the preset that it was started with. */
  readonly preset?: string;
  /** The model that its last turn used, if the agent lets the user select one. */
  readonly model?: string;
  /** The id of the note about its worktree. */
  readonly worktree: string;
  readonly path: string;
  readonly branch: string;
  readonly base: string;
  /** Like `base`, with the user's content of the files that the agent was asked to merge with its own. See `startOf`. */
  readonly start?: string;
  readonly use: TryUse;
  readonly check?: CheckResult;
  /** What was taken of each file: the whole file, or these differences by their stamps. */
  readonly taken: readonly TakenFile[];
}

/** What was taken of a file of a try. */
export interface TakenFile {
  readonly path: string;
  /** Undefined if the whole file was taken. */
  readonly changes?: readonly string[];
  /** The number of changes that the try has there. Known once it was compared with its start, and not stored. */
  readonly count?: number;
}

/** Several tries of one task. */
export interface TryGroup {
  readonly id: string;
  readonly createdAt: number;
  readonly message: string;
  /** The working tree that the tries were made from, and the folder of git that they share with it. */
  readonly from: string;
  readonly common: string;
  /** Where they started: the branch if there was one, and the commit. */
  readonly branch?: string;
  readonly commit: string;
  /** The user's command that checks each try. */
  readonly check?: string;
  readonly tries: readonly Try[];
}

/**
 * Returns the commit that a try is compared with. Lines of the user that came into a file because its agent merged it aren't changes of the try.
 */
export function startOf({ start, base }: Pick<Try, 'start' | 'base'>): string {
  return start ?? base;
}

/** Returns a name for each try: the agent's, with a number if it has several. */
export function tryNames({ tries }: Pick<TryGroup, 'tries'>): readonly string[] {
  return tries.map(({ agentName }, at) => {
    const isAlone = tries.filter((one) => one.agentName === agentName).length === 1;
    const number = tries.slice(0, at + 1).filter((one) => one.agentName === agentName).length;
    return isAlone ? agentName : `${agentName} ${number}`;
  });
}

/** Adds a turn that ended to what a try used. */
export function withTurn(one: Try, { startedAt, endedAt, model, tokens, cost }: TurnSummary): Try {
  const { ms, tokens: before, costs } = one.use;
  const sum = tokens === undefined ? before : (before ?? 0) + spentTokens(tokens).total;
  const use: TryUse = {
    ms: ms + Math.max(0, (endedAt ?? startedAt) - startedAt),
    costs: cost === undefined ? costs : addCosts(costs, [cost]),
    ...compact({ tokens: sum }),
  };
  return { ...one, use, ...compact({ model: model ?? one.model }) };
}

/** Returns a group with another version of one of its tries. */
export function withTry(group: TryGroup, session: SessionKey, change: (one: Try) => Try): TryGroup {
  return { ...group, tries: group.tries.map((one) => (one.session === session ? change(one) : one)) };
}

/** Adds what was taken of a file with `count` changes. Without `changes`, that is the whole file. */
export function withTaken(one: Try, path: string, changes?: readonly string[], count = Infinity): Try {
  const before = one.taken.find((taken) => taken.path === path);
  const others = one.taken.filter((taken) => taken !== before);
  const known = [...new Set([...(before?.changes ?? []), ...(changes ?? [])])];
  const isWhole = changes === undefined || (before && !before.changes) || known.length >= count;
  return { ...one, taken: [...others, isWhole ? { path } : { path, changes: known }] };
}

/** Forgets that something of a file was taken. */
export function withoutTaken(one: Try, path: string): Try {
  return { ...one, taken: one.taken.filter((taken) => taken.path !== path) };
}

/** Reads a stored group. Returns undefined if it is damaged. */
export function decodeGroup(json: unknown): TryGroup | undefined {
  const fields = asObject(json);
  const text = (name: string) => asString(fields?.[name]);
  const [id, message, from, common, commit] = ['id', 'message', 'from', 'common', 'commit'].map(text);
  const createdAt = asNumber(fields?.['createdAt']);
  const tries = asList(fields?.['tries'], decodeTry);
  if (id === undefined || message === undefined || from === undefined || common === undefined) return undefined;
  if (createdAt === undefined || !tries || !isCommit(commit) || !isAbsolute(from) || !isAbsolute(common))
    return undefined;
  const more = compact({ branch: text('branch'), check: text('check') });
  return { id, createdAt, message, from, common, commit, tries, ...more };
}

function decodeTry(value: unknown): Try | undefined {
  const fields = asObject(value);
  const text = (name: string) => asString(fields?.[name]);
  const [session, agentName, worktree, path, branch, base] = [
    'session',
    'agentName',
    'worktree',
    'path',
    'branch',
    'base',
  ].map(text);
  if (session === undefined || agentName === undefined || worktree === undefined || branch === undefined)
    return undefined;
  if (path === undefined || !isAbsolute(path) || !isCommit(base)) return undefined;
  const use = asObject(fields?.['use']);
  const check = asObject(fields?.['check']);
  const checkMs = asNumber(check?.['ms']);
  const start = text('start');
  return {
    session: session as SessionKey,
    agentName,
    worktree,
    path,
    branch,
    base,
    use: {
      ms: asNumber(use?.['ms']) ?? 0,
      costs: asList(use?.['costs'], asCost) ?? [],
      ...compact({ tokens: asCount(use?.['tokens']) }),
    },
    taken: asList(fields?.['taken'], decodeTaken) ?? [],
    ...compact({
      preset: text('preset'),
      model: text('model'),
      start: isCommit(start) ? start : undefined,
      check:
        checkMs === undefined ? undefined : { ms: checkMs, ...compact({ exitCode: asNumber(check?.['exitCode']) }) },
    }),
  };
}

function decodeTaken(value: unknown): TakenFile | undefined {
  const fields = asObject(value);
  const path = asString(fields?.['path']);
  if (path === undefined) return undefined;
  return { path, ...compact({ changes: asList(fields?.['changes'], asString) }) };
}

/** What another program writes must not become an option of git. */
function isCommit(text: string | undefined): text is string {
  return text !== undefined && /^[0-9a-f]{40,64}$/.test(text);
}
