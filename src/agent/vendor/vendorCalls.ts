import type { AcpConnection } from '../../acp/wire/connection';
import { isMethodNotFound } from '../../acp/base/errors';
import { isOf, vendorMethods, type VendorAnswer, type VendorMethod } from './vendorMethods';

/** Asks an agent what only it can answer. Remembers what it can't, so that each method is tried once. */
export class VendorCalls {
  private readonly agentName: () => string;
  private readonly connection: () => Pick<AcpConnection, 'request'>;
  private readonly missing = new Set<VendorMethod>();

  constructor(agentName: () => string, connection: () => Pick<AcpConnection, 'request'>) {
    this.agentName = agentName;
    this.connection = connection;
  }

  /** Whether the agent may have the method: it is one of those that do, and hasn't shown otherwise. */
  offers(method: VendorMethod): boolean {
    return isOf(vendorMethods[method], this.agentName()) && !this.missing.has(method);
  }

  /**
   * Resolves to the answer as it is decoded; undefined if the agent doesn't have the method, or answers something else. Rejects with any
   * other error of the agent.
   */
  async ask<Method extends VendorMethod>(
    method: Method,
    params: object,
    signal?: AbortSignal,
  ): Promise<VendorAnswer<Method> | undefined> {
    if (!this.offers(method)) return undefined;
    const { call, decode } = vendorMethods[method];
    let answer: unknown;
    try {
      answer = await this.connection().request(call, params, signal);
    } catch (error) {
      if (!isMethodNotFound(error)) throw error;
    }
    const decoded = decode(answer) as VendorAnswer<Method> | undefined;
    if (decoded === undefined) this.missing.add(method);
    return decoded;
  }
}
