import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { chooseDistribution, platformKey, type Machine } from './distribution';
import type { BinaryTarget, RegistryAgent } from './registryAgent';
import { reservedVariable } from '../base/reservedVariables';

const machine: Machine = { platform: 'linux', arch: 'x64', hasNpm: true, hasUvx: true };
const target: BinaryTarget = {
  archive: 'https://example.com/a.zip',
  kind: 'zip',
  cmd: 'agent',
  mayBeOfSystem: false,
  args: [],
  env: {},
};
const run = { package: 'agent', args: [], env: {} };

function agent(more: Partial<RegistryAgent>): RegistryAgent {
  return { id: 'one', name: 'One', version: '1.0.0', description: '', license: '', binary: new Map(), ...more };
}

test('finds every platform of the registry', () => {
  const keys = (['darwin', 'linux', 'win32', 'freebsd'] as const).map((platform) =>
    ['x64', 'arm64', 'ia32'].map((arch) => platformKey({ platform, arch })),
  );
  assert.deepEqual(keys, [
    ['darwin-x86_64', 'darwin-aarch64', undefined],
    ['linux-x86_64', 'linux-aarch64', undefined],
    ['windows-x86_64', 'windows-aarch64', undefined],
    [undefined, undefined, undefined],
  ]);
});

suite('an agent is run', () => {
  const all = agent({ npx: run, uvx: run, binary: new Map([['linux-x86_64', target]]) });

  test('by its program for this platform, or else npm, or else uvx', () => {
    assert.equal(chooseDistribution(all, machine).kind, 'binary');
    assert.equal(chooseDistribution(all, { ...machine, arch: 'arm64' }).kind, 'npx');
    assert.equal(chooseDistribution(all, { ...machine, arch: 'arm64', hasNpm: false }).kind, 'uvx');
    assert.equal(chooseDistribution(agent({ npx: run, uvx: run }), machine).kind, 'npx');
  });

  const none = { ...machine, hasNpm: false, hasUvx: false };
  for (const [what, of, words] of [
    ['Node.js is missing', agent({ npx: run }), /Needs Node\.js with npm, .* Install Node\.js from nodejs\.org and/],
    ['uv is missing', agent({ uvx: run }), /Needs uv, .* Install uv from docs\.astral\.sh\/uv or with “curl /],
    ['both are missing', agent({ npx: run, uvx: run }), /Node\.js or uv, .* Install Node\.js/],
    [
      'it is only for other machines',
      agent({ binary: new Map([['darwin-aarch64', target]]) }),
      /Not available for this machine \(linux-x86_64\)\. Available for: darwin-aarch64/,
    ],
  ] as const) {
    test(`not when ${what}, with an explanation`, () => {
      const chosen = chooseDistribution(of, none);
      assert.equal(chosen.kind, 'unavailable');
      assert.match(chosen.reason, words);
    });
  }

  test('not with a variable that decides what runs', () => {
    for (const name of [
      'PATH',
      'Path',
      'LD_PRELOAD',
      'DYLD_INSERT_LIBRARIES',
      'NODE_OPTIONS',
      'npm_config_registry',
      'HOME',
      'BROWSER',
      'editor',
      'VISUAL',
      'PAGER',
      'DOTNET_STARTUP_HOOKS',
      'BUN_OPTIONS',
      'COREPACK_NPM_REGISTRY',
      'PS4',
      'PERL5OPT',
      'JAVA_HOME',
      'OPENSSL_CONF',
      'DOCKER_HOST',
    ]) {
      const env = { FINE: '1', [name]: 'x' };
      const withProgram = agent({ npx: run, binary: new Map([['linux-x86_64', { ...target, env }]]) });
      for (const of of [agent({ npx: { ...run, env } }), agent({ uvx: { ...run, env } }), withProgram]) {
        const chosen = chooseDistribution(of, machine);
        assert.equal(chosen.kind, 'unavailable', name);
        assert.ok(chosen.reason.includes(`sets ${name},`), chosen.reason);
      }
    }
  });
});

test("allows an agent's own variables", () => {
  const names = [
    'AGENT_DISABLE_AUTO_UPDATE',
    'LEVEL',
    'NODE_ENV',
    'PYTHONUNBUFFERED',
    'MY_PATH',
    'HOMEPAGE',
    'OPENAI_BASE_URL',
  ];
  for (const name of names) assert.equal(reservedVariable({ [name]: '1' }), undefined, name);
});
