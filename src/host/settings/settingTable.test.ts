import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { decidingSettings, settingTable, type Decider, type SettingKey } from './settingTable';

interface Property {
  readonly scope: string;
  readonly default: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Manifest {
  readonly contributes: { readonly configuration: { readonly properties: Readonly<Record<string, Property>> } };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { properties } = manifest.contributes.configuration;
const rows = Object.entries(settingTable) as [SettingKey, (typeof settingTable)[SettingKey]][];
const keysOf = (...deciders: readonly Decider[]) =>
  rows.flatMap(([key, { decides }]) => (deciders.includes(decides) ? `parley.${key}` : [])).sort();

suite('the table of settings', () => {
  test('has exactly the settings of the manifest', () => {
    assert.deepEqual(rows.map(([key]) => `parley.${key}`).sort(), Object.keys(properties).sort());
  });

  test('has the defaults of the manifest', () => {
    for (const [key, { default: own, decode }] of rows) {
      const { default: shown, enum: values = [] } = properties[`parley.${key}`] as Property;
      assert.deepEqual(own, shown, key);
      assert.deepEqual(decode(shown), shown, key);
      for (const value of values) assert.equal(decode(value), value, key);
    }
  });

  test('has the limits of the manifest', () => {
    for (const [key, { decode }] of rows) {
      const { minimum, maximum } = properties[`parley.${key}`] as Property;
      if (minimum === undefined || maximum === undefined) continue;
      const values = [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1, String(maximum)];
      assert.deepEqual(values.map(decode), [undefined, minimum, undefined, maximum, undefined, undefined], key);
    }
    assert.equal(settingTable['context.longPasteLines'].decode(0), 0);
  });

  test('lets only the user decide what no workspace can set', () => {
    const ofMachine = Object.keys(properties).filter((key) => properties[key]?.scope === 'machine');
    assert.deepEqual(keysOf('user'), ofMachine.sort());
  });

  test('lists what an untrusted workspace can’t set', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.deepEqual(keysOf('consent', 'trustedWorkspace'), [...restrictedConfigurations].sort());
  });

  test('keeps the order of settings that the user agreed to', () => {
    const order = ['agents', 'mcpServers', 'mcp.useMcpJson', 'permissions', 'files.outsideWorkspace', 'registry.url'];
    // A setting that is added later comes last.
    assert.deepEqual(decidingSettings, [...order, 'presets', 'worktrees.setup', 'afterTurn']);
  });

  test('reads untrusted values', () => {
    assert.equal(settingTable['mcp.useMcpJson'].decode('sometimes'), undefined);
    assert.equal(settingTable.sendNewProblems.decode('true'), undefined);
    assert.deepEqual(settingTable['editorTools.more'].decode(['rename', 1]), ['rename']);
    assert.deepEqual(settingTable['editorTools.agents'].decode({ one: true, two: 'no' }), { one: true });
    assert.equal(settingTable['registry.url'].decode(7), '');
  });
});
