import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { ChatPages } from '../pages/chatPages';
import type { Log } from '../log/log';
import { Awake } from './awake';
import { awakeProgram, type AwakeWhen } from './awakeProgram';
import { SleepWatch } from './sleepWatch';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface AwakeFeatureNeeds {
  readonly pool: Pick<AgentPool, 'sessions' | 'onDidChangeSessions'>;
  readonly pages: Pick<ChatPages, 'broadcast'>;
  readonly settings: { get(key: 'keepAwake'): AwakeWhen; readonly onDidChange: Event<void> };
  readonly log: Log;
}

/** Keeps the computer awake while turns run, and tells pages how long it was asleep nevertheless. */
export function awakeFeature({ pool, pages, settings, log }: AwakeFeatureNeeds) {
  const parts = new DisposableStore();
  const awake = parts.add(
    new Awake({
      when: () => settings.get('keepAwake'),
      program: (when) => awakeProgram(process.platform, when, process.pid, process.env),
      isOnMains: () => isOnMains(),
      log: (line) => log.info(line),
    }),
  );
  const every = (ms: number, action: () => void) => {
    const timer = setInterval(action, ms).unref();
    return { dispose: () => clearInterval(timer) };
  };
  const watch = parts.add(
    new SleepWatch({ now: () => Date.now(), every }, (ms) => pages.broadcast({ type: 'slept', ms })),
  );
  let wasWorking = false;
  const update = () => {
    const isWorking = pool.sessions.some(({ transcript }) => transcript.view.activity.state !== 'idle');
    if (isWorking === wasWorking) return;
    wasWorking = isWorking;
    awake.setWorking(isWorking);
    watch.setOn(isWorking);
  };
  parts.add(pool.onDidChangeSessions(update));
  parts.add(settings.onDidChange(() => awake.setWorking(wasWorking)));
  return { dispose: () => parts.dispose() };
}

/**
 * Resolves to whether a Linux computer is on mains power, by the kernel's list of power supplies. A computer without a
 * battery is. Resolves to undefined if the list can't be read.
 */
export async function isOnMains(supplies = '/sys/class/power_supply'): Promise<boolean | undefined> {
  const names = await readdir(supplies).catch(() => undefined);
  if (!names) return undefined;
  const read = async (name: string, field: string) =>
    (await readFile(join(supplies, name, field), 'utf8').catch(() => '')).trim();
  const all = await Promise.all(
    names.map(async (name) => ({
      type: await read(name, 'type'),
      online: await read(name, 'online'),
      // Mice and headsets have batteries, too.
      isOfSystem: (await read(name, 'scope')) !== 'Device',
    })),
  );
  const hasBattery = all.some(({ type, isOfSystem }) => type === 'Battery' && isOfSystem);
  return !hasBattery || all.some(({ type, online }) => type !== 'Battery' && online === '1');
}
