import { sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import type { SandboxPolicy } from '../../shared/limits/sandbox';
import { limits } from '../../sandbox/inside/limits';
import { holdsNetwork } from '../../shared/limits/sandboxMode';

/** One line of what an agent is held to. */
export interface PolicyLine {
  readonly label: string;
  readonly detail: string;
}

/** How many names a line has. */
const longest = 8;

/** Returns what an agent is held to on a system, in words. */
export function policyWords(
  policy: SandboxPolicy,
  home: string,
  platform: NodeJS.Platform = process.platform,
): readonly PolicyLine[] {
  const {
    mode,
    folders,
    state,
    shared,
    readOnly,
    unreadable,
    readable,
    hosts,
    homes = [],
    leftOut = [],
    layers = [],
    localPorts,
    askedPorts = [],
    updateHosts = [],
  } = policy;
  const ports = [
    ...localPorts.map((port) => `127.0.0.1:${port}`),
    ...askedPorts.map((port) => l10n.t('{0} after a question', `127.0.0.1:${port}`)),
  ];
  const paths = (list: readonly string[]) =>
    listWords(list.map((path) => (path.startsWith(home + sep) ? `~${path.slice(home.length)}` : path)));
  const profile = [
    ...(readable ? [l10n.t('the rest of your profile')] : []),
    ...(homes.length > 0 ? [l10n.t('everything else in your home folder, except tools')] : []),
    ...(platform === 'linux' ? [l10n.t('temporary files of other programs')] : []),
  ];
  return [
    { label: l10n.t('Can change'), detail: paths([...folders, ...state, ...shared]) },
    { label: l10n.t('Has its own'), detail: paths(layers.map(({ place }) => place)) },
    { label: l10n.t('Can’t change'), detail: paths(readOnly) },
    { label: l10n.t('Can’t read'), detail: [paths(unreadable), ...profile].filter(Boolean).join(', ') },
    {
      label: l10n.t('Can connect to'),
      detail: holdsNetwork(mode)
        ? [listWords(hosts), listWords(ports)].filter(Boolean).join(', ')
        : l10n.t('Every host'),
    },
    { label: l10n.t('Can’t look for updates at'), detail: listWords(updateHosts) },
    {
      label: l10n.t('Limits'),
      detail:
        platform === 'win32'
          ? ''
          : l10n.t(
              '{0} processes and threads, and {1} GB for one file. Memory isn’t limited.',
              limits.processes,
              limits.fileGigabytes,
            ),
    },
    {
      label: l10n.t('Servers inside'),
      detail:
        holdsNetwork(mode) && platform === 'linux'
          ? l10n.t('Answer only inside')
          : l10n.t('Answer on this machine, too'),
    },
    { label: l10n.t('Variables that aren’t passed'), detail: listWords(leftOut) },
    {
      label: l10n.t('Not guarded'),
      detail: l10n.t(
        'A sandbox can’t help against faults of the system, what is sent to allowed hosts, and what the agent keeps in its own folders.',
      ),
    },
  ].filter(({ detail }) => detail !== '');
}

function listWords(names: readonly string[]): string {
  const more = names.length - longest;
  const shown = names.slice(0, longest).join(', ');
  return more > 0 ? l10n.t('{0}, and {1} more', shown, more) : shown;
}
