import type { AgentPool } from '../../agent/pool/agentPool';
import { DisposableStore } from '../../shared/values/disposable';
import type { Event } from '../../shared/values/event';
import type { ChatPages } from '../pages/chatPages';
import type { Log } from '../log/log';
import { Awake } from './awake';
import { awakeProgram, type AwakeWhen } from './awakeProgram';
import { isOnMains } from './mainsPower';
import { SleepWatch } from './sleepWatch';

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
