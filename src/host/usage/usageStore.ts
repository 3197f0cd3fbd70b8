import { randomUUID } from 'node:crypto';
import { Disposable } from '../../shared/values/disposable';
import { Emitter } from '../../shared/values/event';
import { addRows, addTurn, dayBefore, dayOf, keptDays, readDay } from '../../usage/usageDays';
import type { UsageDay, UsageRow, UsedTurn } from '../../usage/usageDays';
import { fromLaterVersion, isOfLaterVersion, JsonFiles } from '../storage/jsonFiles';
import { Records } from '../storage/records';
import type { StorageTroubles } from '../storage/storageTroubles';

/** A day's file of one window. */
const fileName = /^(\d{4}-\d\d-\d\d)\.[\da-z-]+\.json$/;

/**
 * What agents used, day by day, for all workspaces. Each window has its own file per day, so that no window overwrites
 * what another one counted. Days older than a year are removed.
 */
export class UsageStore extends Disposable {
  private readonly records: Records;
  private readonly now: () => number;
  private readonly window: string;
  /** What this window counted, by day. */
  private readonly own = new Map<string, readonly UsageRow[]>();
  private readonly changed = this.register(new Emitter<void>());
  /** Fires when this window has counted a turn. */
  readonly onDidChange = this.changed.event;

  constructor(
    folder: string,
    { now, troubles }: { readonly now: () => number; readonly troubles: StorageTroubles },
    window: string = randomUUID().slice(0, 8),
  ) {
    super();
    this.now = now;
    this.window = window;
    const files = new JsonFiles(folder, (path) => troubles.setAside('usage', path));
    this.records = this.register(new Records(files, 'usage', troubles));
  }

  /** Counts a turn. It is on disk soon after. */
  add(turn: UsedTurn): void {
    const day = dayOf(turn.at);
    const before = this.own.get(day) ?? [];
    const rows = addTurn(before, turn);
    if (rows === before) return;
    this.own.set(day, rows);
    this.records.set(`${day}.${this.window}.json`, () => JSON.stringify({ version: 1, day, rows: this.own.get(day) }));
    void this.records.flush();
    this.changed.fire();
  }

  /** Returns all days from `first` on, with what other windows counted, in no particular order. */
  async days(first = ''): Promise<readonly UsageDay[]> {
    const all = await this.ofOthers(first);
    for (const [day, rows] of this.own) if (day >= first) all.set(day, addRows(all.get(day) ?? [], rows));
    return [...all].map(([day, rows]) => ({ version: 1, day, rows }));
  }

  private async ofOthers(first: string): Promise<Map<string, readonly UsageRow[]>> {
    const all = new Map<string, readonly UsageRow[]>();
    for (const name of await this.records.names()) {
      const day = fileName.exec(name)?.[1];
      if (day === undefined || day < first || name.includes(this.window)) continue;
      const read = await this.records.load(name, parse);
      if (read) all.set(read.day, addRows(all.get(read.day) ?? [], read.rows));
    }
    return all;
  }

  /** What this window counted today. */
  get ownToday(): readonly UsageRow[] {
    return this.own.get(dayOf(this.now())) ?? [];
  }

  /** Returns what other windows counted today. */
  async othersToday(): Promise<readonly UsageRow[]> {
    const day = dayOf(this.now());
    return (await this.ofOthers(day)).get(day) ?? [];
  }

  /** Returns what was used today. */
  async today(): Promise<readonly UsageRow[]> {
    const day = dayOf(this.now());
    return (await this.days(day)).find((one) => one.day === day)?.rows ?? [];
  }

  /** Removes days older than a year. */
  async prune(): Promise<void> {
    const first = dayBefore(this.now(), keptDays);
    for (const name of await this.records.names()) {
      const day = fileName.exec(name)?.[1];
      if (day !== undefined && day < first) this.records.remove(name);
    }
    await this.records.flush();
  }

  /** Writes synchronously from now on. */
  flushNow(): Promise<void> {
    return this.records.flushNow();
  }
}

function parse(json: unknown): UsageDay | typeof fromLaterVersion | undefined {
  return isOfLaterVersion(json, 1) ? fromLaterVersion : readDay(json);
}
