import * as l10n from '@vscode/l10n';
import { compact } from '../../shared/values/decodeValue';
import { SpawnFailure, type AgentLaunch } from '../process/agentProcess';
import type { AgentSpec } from '../spec/agentSpec';
import type { LaunchContext } from './launch';
import { expandVariables } from '../base/variables';
import type { CookieJar } from '../remote/cookieJar';
import { hostOf } from '../remote/linkWords';
import { enteredInputs, type AskInput } from './enteredInputs';

/** What a remote agent's launch needs from the editor. */
export interface RemoteContext extends Omit<LaunchContext, 'files'> {
  readonly cookies: CookieJar;
  readonly askInput: AskInput;
}

/** Resolves where a remote agent is and what is sent to it; rejects with a `SpawnFailure` if a setting is invalid. */
export async function resolveRemote(spec: AgentSpec, context: RemoteContext): Promise<AgentLaunch> {
  const { url: writtenUrl = '', headers: writtenHeaders = {} } = spec;
  const texts = [writtenUrl, ...Object.values(writtenHeaders)];
  // The login shell is started only if a variable needs it.
  const env = texts.some((text) => text.includes('${env:')) ? (await context.environment()).env : {};
  const inputs = await enteredInputs(spec, context.askInput);
  const expand = (text: string) => {
    const { text: expanded, unknown } = expandVariables(text, {
      ...compact({ workspaceFolder: context.workspaceFolder }),
      workspaceFolders: context.workspaceFolders,
      userHome: context.userHome,
      env,
      pathSeparator: '/',
      inputs,
    });
    const [first] = unknown;
    if (first === undefined) return expanded;
    throw failure(
      l10n.t('The settings for {0} use {1}, which can’t be resolved. Fix it in parley.agents.', spec.name, first),
    );
  };
  const url = expand(writtenUrl);
  if (!URL.canParse(url) || !/^(https?|wss?):$/.test(new URL(url).protocol)) {
    throw failure(l10n.t('The URL of {0} isn’t valid. Fix “url” in parley.agents.', spec.name));
  }
  const headers = Object.fromEntries(
    Object.entries(writtenHeaders).map(([name, value]) => {
      const expanded = expand(value).trim();
      if (/[^\t\x20-\x7e\x80-\xff]/.test(expanded)) {
        throw failure(l10n.t('The header “{0}” of {1} has characters that can’t be sent.', name, spec.name));
      }
      return [name, expanded];
    }),
  );
  const remote = { url, headers, cookies: context.cookies };
  return { command: hostOf(url), args: [], env: {}, cwd: context.workspaceFolder ?? context.userHome, remote };
}

function failure(message: string): SpawnFailure {
  return new SpawnFailure('other', '', message);
}
