import { randomUUID } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../../process/isAlive';
import { startTimeOf } from '../../process/processTree';
import { attempt } from '../../shared/values/attempt';
import { isRecord } from '../../shared/values/isRecord';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { processesOf } from './processesOf';
import { alone } from './recordLock';

/** A folder for temporary files, by what no other folder has. */
interface OwnFolder {
  readonly path: string;
  readonly device: number;
  readonly inode: number;
}

/** What a sandbox puts on the disk, for a window that comes after it was killed. */
interface SandboxRecord {
  readonly version: 1;
  readonly host: string;
  /** The process that started it. */
  readonly owner: { readonly pid: number; readonly started: string };
  readonly temporary: readonly OwnFolder[];
  readonly folders: readonly string[];
  /** Places that are held although nothing was there: the system's program puts an empty file or folder in each. */
  readonly stubs: readonly string[];
}

/** The record of one sandbox. */
export interface Leftovers {
  /** The sandbox has ended by itself, and nothing is left. */
  forget(): Promise<void>;
  /** Clears what is left of a sandbox whose helper was killed. */
  clear(): Promise<void>;
}

/** How often to look whether killed processes have ended, and the pause before each look, in milliseconds. */
const looks = 40;
const pauseMs = 50;

/** Notes in `records` what a sandbox of this process will put on the disk, before it does. */
export async function recordSandbox(
  records: string,
  temporary: readonly string[],
  policy: Pick<SandboxPolicy, 'folders' | 'readOnly' | 'unreadable' | 'placeholders'>,
): Promise<Leftovers> {
  const path = join(records, `${randomUUID()}.json`);
  const owner = { pid: process.pid, started: (await startTimeOf(process.pid)) ?? '' };
  const record = await alone(records, () => writeRecord(records, path, owner, temporary, policy));
  return {
    forget: () =>
      alone(records, async () => {
        await release(records, record, path);
        rmSync(path, { force: true });
      }),
    clear: () => clear(records, path, record),
  };
}

function writeRecord(
  records: string,
  path: string,
  owner: SandboxRecord['owner'],
  temporary: readonly string[],
  policy: Pick<SandboxPolicy, 'folders' | 'readOnly' | 'unreadable' | 'placeholders'>,
): SandboxRecord {
  const { placeholders = [] } = policy;
  const others = stubsOf(recordsIn(records));
  const shared = placeholders.filter((path) => others.has(path));
  const record: SandboxRecord = {
    version: 1,
    host: hostname(),
    owner,
    temporary: temporary.map(ownFolder),
    folders: policy.folders,
    stubs: [...new Set([...shared, ...[...policy.readOnly, ...policy.unreadable].flatMap(missingPlaces)])],
  };
  // A half-written record would have no owner.
  writeFileSync(`${path}.new`, JSON.stringify(record), { mode: 0o600 });
  renameSync(`${path}.new`, path);
  // Whoever ends later sees that they have another holder.
  for (const place of placeholders) attempt(() => mkdirSync(place));
  return record;
}

/**
 * Clears what killed sandboxes of processes that are gone have left: their programs, their folders for temporary files, and the
 * empty files and folders that they held. Only what is certainly theirs: what was there before, isn't empty, or can be
 * written stays. Never rejects.
 */
export async function clearLeftovers(records: string): Promise<void> {
  for (const [path, record] of recordsIn(records)) {
    if (record.host !== hostname() || (await lives(record))) continue;
    await clear(records, path, record).catch(() => undefined);
  }
}

async function clear(records: string, path: string, record: SandboxRecord): Promise<void> {
  // Something of it runs, for which the places must stay held. The next start looks again.
  if (!(await endPrograms(record))) return;
  for (const folder of record.temporary)
    if (isSame(folder)) attempt(() => rmSync(folder.path, { recursive: true, force: true }));
  await alone(records, async () => {
    const isHeld = await release(records, record, path);
    if (!isHeld) rmSync(path, { force: true });
  });
}

/**
 * Removes the places that a sandbox has put on the disk and no other one needs. Resolves to whether another one needs some:
 * all sandboxes of a folder, of all windows, have the same ones.
 */
async function release(records: string, { stubs }: SandboxRecord, own: string): Promise<boolean> {
  const others = recordsIn(records).filter(([other]) => other !== own);
  let isHeld = false;
  // The deepest first.
  for (const stub of stubs.toSorted((a, b) => b.length - a.length)) {
    const holders = others.filter(([, other]) => other.folders.some((folder) => stub.startsWith(folder + sep)));
    const living = await Promise.all(holders.map(([, other]) => lives(other)));
    // Another sandbox holds the place that is there, and would lose it.
    if (living.includes(true)) isHeld = true;
    else attempt(() => removeStub(stub));
  }
  return isHeld;
}

function stubsOf(records: readonly (readonly [path: string, record: SandboxRecord])[]): ReadonlySet<string> {
  return new Set(records.flatMap(([, { stubs }]) => stubs));
}

/** Kills the programs that run with the sandbox's folder in their environment. Resolves to whether none is left. */
async function endPrograms({ temporary }: SandboxRecord): Promise<boolean> {
  // Elsewhere, they end with the process that has started them.
  if (process.platform !== 'linux') return true;
  for (let look = 0; look < looks; look += 1) {
    const left = processesOf(temporary.map(({ path }) => path));
    if (left.length === 0) return true;
    for (const pid of left) attempt(() => process.kill(pid, 'SIGKILL'));
    await delay(pauseMs);
  }
  return false;
}

/** Removes an empty file that nobody can write, or an empty folder, of this user. */
function removeStub(path: string): void {
  const stat = lstatSync(path);
  if (stat.uid !== process.getuid?.()) return;
  if (stat.isDirectory()) rmdirSync(path);
  else if (stat.isFile() && stat.size === 0 && (stat.mode & 0o222) === 0 && stat.nlink === 1) unlinkSync(path);
}

/** Returns the parts of a path that don't exist, the last one first. */
function missingPlaces(path: string): readonly string[] {
  const missing: string[] = [];
  for (let at = path; at !== dirname(at) && attempt(() => lstatSync(at)) === undefined; at = dirname(at))
    missing.push(at);
  return missing;
}

function ownFolder(path: string): OwnFolder {
  const { dev, ino } = lstatSync(path);
  return { path, device: dev, inode: ino };
}

function isSame({ path, device, inode }: OwnFolder): boolean {
  const stat = attempt(() => lstatSync(path));
  return stat !== undefined && stat.isDirectory() && stat.dev === device && stat.ino === inode;
}

async function lives({ host, owner }: SandboxRecord): Promise<boolean> {
  if (host !== hostname()) return true;
  const started = await startTimeOf(owner.pid);
  // The system may not say when a process started.
  return started === undefined || owner.started === '' ? isAlive(owner.pid) : started === owner.started;
}

function recordsIn(folder: string): readonly (readonly [path: string, record: SandboxRecord])[] {
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((name) => {
    const path = join(folder, name);
    const record = name.endsWith('.json') ? attempt(() => readRecord(readFileSync(path, 'utf8'))) : undefined;
    return record ? [[path, record] as const] : [];
  });
}

function readRecord(text: string): SandboxRecord | undefined {
  const json: unknown = JSON.parse(text);
  if (!isRecord(json) || json['version'] !== 1 || typeof json['host'] !== 'string') return undefined;
  const { owner, temporary, folders, stubs } = json;
  if (!isRecord(owner) || typeof owner['pid'] !== 'number' || typeof owner['started'] !== 'string') return undefined;
  const isFolder = (one: unknown) =>
    isRecord(one) &&
    typeof one['path'] === 'string' &&
    typeof one['device'] === 'number' &&
    typeof one['inode'] === 'number';
  const areTexts = [folders, stubs].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
  );
  return areTexts && Array.isArray(temporary) && temporary.every(isFolder)
    ? (json as unknown as SandboxRecord)
    : undefined;
}
