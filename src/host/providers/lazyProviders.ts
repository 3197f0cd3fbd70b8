import type * as vscode from 'vscode';
import { isConnectionClosed } from '../../acp/base/errors';
import { notSet } from '../../agent/providers/providerRequests';
import type { ConfigureAgent } from '../../agent/pool/startAgent';
import { Disposable } from '../../shared/disposable';
import { once } from '../../shared/once';
import { messageOf } from '../../shared/messageOf';
import { providersKey } from './providerKey';
import { Providers, type ProvidersOptions } from './providers';

/** Loads the model provider settings when the user opens their page, or if any are stored. */
export class LazyProviders extends Disposable {
  /** Always returns the same instance. */
  readonly get: () => Promise<Providers>;
  /** Sends the stored provider settings to a newly started agent, if it supports them. */
  readonly configure: ConfigureAgent;

  /** `options` is called on first use. */
  constructor(secrets: vscode.SecretStorage, options: () => ProvidersOptions) {
    super();
    this.get = once(() => Promise.resolve(this.register(new Providers(options()))));
    this.configure = async (spec, agent, signal) => {
      if (!agent.can?.providers) return [];
      try {
        // Only checks whether anything is stored. Loading checks whether it was stored for this program.
        if ((await secrets.get(providersKey(spec.id))) === undefined) return [];
        return await (await this.get()).sendAgain(spec, agent, signal);
      } catch (error) {
        if (signal.aborted || agent.hasExited || isConnectionClosed(error)) throw error;
        // A failure must not prevent the session from opening.
        return [notSet(spec.name, [messageOf(error)])];
      }
    };
  }
}
