import type { AcpConnection } from '../../acp/wire/connection';
import { isMethodNotFound } from '../../acp/base/errors';
import { isOf, vendorMethods, type VendorMethod } from './vendorMethods';

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
   * Resolves to the answer as `decode` reads it; undefined if the agent doesn't have the method, or answers something else. Rejects with any
   * other error of the agent.
   */
  async ask<T>(
    method: VendorMethod,
    params: object,
    decode: (answer: unknown) => T | undefined,
    signal?: AbortSignal,
  ): Promise<T | undefined> {
    if (!this.offers(method)) return undefined;
    let answer: unknown;
    try {
      answer = await this.connection().request(vendorMethods[method].call, params, signal);
    } catch (error) {
      if (!isMethodNotFound(error)) throw error;
    }
    const decoded = decode(answer);
    if (decoded === undefined) this.missing.add(method);
    return decoded;
  }
}
