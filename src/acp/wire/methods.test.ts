import assert from 'node:assert/strict';
import { test } from 'node:test';
import type * as SdkModule from '@agentclientprotocol/sdk/unstable';
import { agentMethods, clientMethods, protocolMethods } from './methods';
import { beforeTests } from '../../../test/unit-support/beforeTests';

let sdk: typeof SdkModule;

beforeTests(async () => {
  // An ES module, so it cannot be required.
  sdk = await import('@agentclientprotocol/sdk/unstable');
});

function names(table: Readonly<Record<string, { readonly method: string }>>): string[] {
  return Object.values(table).map(({ method }) => method);
}

test('every method name is in the protocol, once per side', () => {
  const legacy = [agentMethods.setModel.method];
  const conventions = [agentMethods.steer.method];
  const drafts = [agentMethods.sessionOptions.method];
  const ofAgent = new Set<string>([...Object.values(sdk.AGENT_METHODS), ...legacy, ...conventions, ...drafts]);
  const conventional = [clientMethods.authStatusUpdateByConvention.method];
  const ofClient = new Set<string>([...Object.values(sdk.CLIENT_METHODS), ...conventional]);
  for (const name of names(agentMethods)) assert.ok(ofAgent.has(name), name);
  for (const name of names(clientMethods)) assert.ok(ofClient.has(name), name);
  assert.deepEqual(names(protocolMethods), Object.values(sdk.PROTOCOL_METHODS));
  for (const side of [agentMethods, clientMethods]) {
    const all = [...names(side), ...names(protocolMethods)];
    assert.equal(new Set(all).size, all.length);
  }
});

test('covers every method that agents may call', () => {
  const missing = Object.values(sdk.CLIENT_METHODS).filter((name) => !names(clientMethods).includes(name));
  assert.deepEqual(missing, []);
});
