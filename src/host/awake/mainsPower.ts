import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

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
