import { join } from 'node:path';
import { Branches } from './branches/branches';
import { storeText } from './checkpoints/restoreContent';
import { NewRepositories } from './git/newRepositories';
import { MergeEditors } from './merging/mergeEditors';
import { Review } from './review/review';
import { SessionStore } from './sessions/stored/sessionStore';
import { storagePlace } from './storage/storagePlace';
import { StorageWindows } from './storage/storageWindows';
import { tellTroubles } from './storage/tellTroubles';
import { TryStore } from './tries/tryStore';
import { UsageStore } from './usage/usageStore';
import type { Agents } from './agentsFloor';
import type { Machine } from './machineFloor';

export type Work = ReturnType<typeof workFloor>;

/** The work of agents and its records: changes, sessions, tries, and what was used. */
export function workFloor(machine: Machine, { pool }: Pick<Agents, 'pool'>) {
  const { settings, globalStorage, storageUri, knownPrograms, log, report, act, now, parts } = machine;
  const newRepositories = parts.add(
    new NewRepositories({ pool, known: knownPrograms, report: report('New repositories') }),
  );
  const storage = storagePlace(storageUri?.fsPath, globalStorage);
  const windows = parts.add(new StorageWindows(storage));
  const troubles = tellTroubles((text) => log.warn(text));
  const place = { storage, windows, troubles };
  const usage = parts.add(new UsageStore(join(globalStorage, 'usage'), { now, troubles }));
  const review = parts.add(
    new Review(pool, place, report('Review'), { act, revealsNext: () => settings.get('review.revealNextChange') }),
  );
  const branches = parts.add(new Branches());
  const branchOf = (cwd: string) => branches.of(cwd)?.branch;
  const sessions = parts.add(new SessionStore(pool, join(storage, 'sessions'), { now, windows, troubles, branchOf }));
  const mergeEditors = parts.add(
    new MergeEditors({
      review,
      storeText: (...text) => storeText(review.contents, ...text),
      report: report('Merging'),
    }),
  );
  const tries = parts.add(new TryStore(join(storage, 'tries'), troubles));
  return { newRepositories, storage, windows, place, usage, review, branches, sessions, mergeEditors, tries };
}
