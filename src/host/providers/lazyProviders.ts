import type * as vscode from 'vscode';
import { isConnectionClosed } from '../../acp/errors';
import { notSet } from '../../agent/providers/providerRequests';
import type { ConfigureAgent } from '../../agent/startAgent';
import { Disposable } from '../../shared/disposable';
import { once } from '../../shared/once';
import { messageOf } from '../../shared/messageOf';
import { providersKey } from './providerKey';
import { Providers, type ProvidersOptions } from './providers';

/** The user's settings for providers of models, loaded when somebody opens their page, or has stored some. */
export class LazyProviders extends Disposable {
  /** The same each time. */
  readonly get: () => Promise<Providers>;
  /** Sends an agent that has started all that is stored for it, if it takes it. */
  readonly configure: ConfigureAgent;

  /** `options` is asked when they are needed. */
  constructor(secrets: vscode.SecretStorage, options: () => ProvidersOptions) {
    super();
    this.get = once(() => Promise.resolve(this.register(new Providers(options()))));
    this.configure = async (spec, agent, signal) => {
      if (!agent.can?.providers) return [];
      try {
        // Only whether there is anything; whether it is for this very program is looked at with the rest.
        if ((await secrets.get(providersKey(spec.id))) === undefined) return [];
        return await (await this.get()).sendAgain(spec, agent, signal);
      } catch (error) {
        if (signal.aborted || agent.hasExited || isConnectionClosed(error)) throw error;
        // No reason for a session not to open.
        return [notSet(spec.name, [messageOf(error)])];
      }
    };
  }
}
