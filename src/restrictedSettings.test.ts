import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly [key: string]: unknown;
}

interface Manifest {
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: { readonly configuration: Schema };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const settings = manifest.contributes.configuration.properties ?? {};

/** Names of all properties that a setting's value may have, however deep. */
function names(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {} } = schema as Schema;
  return [...Object.keys(properties), ...Object.values(schema).flatMap(names)];
}

test("gives the agents' settings the scope of the window", () => {
  for (const name of ['parley.agents', 'parley.defaultAgent']) assert.equal(settings[name]?.['scope'], 'window', name);
});

test('restricts settings of programs, environments, or addresses in untrusted workspaces', () => {
  const restricted = new Set(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations);
  const risky = Object.entries(settings).filter(
    ([name, schema]) =>
      /url|json/i.test(name) || names(schema).some((key) => /^(command|args|env|url|headers|cwd)$/.test(key)),
  );
  assert.ok(risky.length >= 4, 'agents, MCP servers, mcp.json and the registry');
  for (const [name] of risky) assert.ok(restricted.has(name), name);
  for (const name of restricted) assert.ok(name in settings, `${name} is no setting`);
});
