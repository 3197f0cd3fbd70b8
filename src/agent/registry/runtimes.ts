import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';

/** What an agent's package needs on the machine. */
export type Runtime = 'node' | 'uv';

/** How to get a runtime: a page, and a command where the system has one. */
export interface HowToGet {
  readonly url: string;
  readonly host: string;
  readonly command?: string;
}

/** Returns how to get a runtime on a system. */
export function howToGet(runtime: Runtime, platform: NodeJS.Platform): HowToGet {
  const commands: Partial<Record<NodeJS.Platform, string>> =
    runtime === 'node'
      ? { darwin: 'brew install node', win32: 'winget install OpenJS.NodeJS.LTS' }
      : {
          darwin: 'brew install uv',
          win32: 'winget install astral-sh.uv',
          linux: 'curl -LsSf https://astral.sh/uv/install.sh | sh',
        };
  const command = commands[platform];
  const page =
    runtime === 'node'
      ? { url: 'https://nodejs.org/en/download', host: 'nodejs.org' }
      : { url: 'https://docs.astral.sh/uv/getting-started/installation/', host: 'docs.astral.sh/uv' };
  return { ...page, ...compact({ command }) };
}

/** Returns the name of a runtime as its makers write it. */
export function runtimeName(runtime: Runtime): 'Node.js' | 'uv' {
  return runtime === 'node' ? 'Node.js' : 'uv';
}

/** Returns the next step for a missing or old runtime, as a sentence. */
export function getSentence(runtime: Runtime, platform: NodeJS.Platform): string {
  const name = runtimeName(runtime);
  const { host, command } = howToGet(runtime, platform);
  return command === undefined
    ? l10n.t('Install {0} from {1} and try again.', name, host)
    : l10n.t('Install {0} from {1} or with “{2}” and try again.', name, host, command);
}
