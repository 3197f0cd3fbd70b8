import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decodeRegistry } from './decodeRegistry';

const npx = { npx: { package: '@scope/agent@1.2.3', args: ['--acp'], env: { LEVEL: '1' } } };
const entry = { id: 'one', name: 'One', version: '1.2.3', description: 'Does it.', distribution: npx };
const linux = { archive: 'https://example.com/a.tar.gz', cmd: './bin/agent' };
const binary = (target: object) => ({
  ...entry,
  distribution: { binary: { 'linux-x86_64': { ...linux, ...target } } },
});

function decode(...agents: unknown[]) {
  return decodeRegistry({ version: '1.0.0', agents, extensions: [] });
}

suite('an entry of the registry', () => {
  test('is read without its unknown keys', () => {
    const full = { ...entry, license: 'MIT', icon: 'x', authors: ['A'], later: {} };
    const { agents, problems } = decode({
      ...full,
      distribution: { ...npx, binary: { 'linux-x86_64': linux, 'plan9-mips': 7 } },
    });
    assert.deepEqual(problems, []);
    assert.deepEqual(agents, [
      {
        id: 'one',
        name: 'One',
        version: '1.2.3',
        description: 'Does it.',
        license: 'MIT',
        npx: { package: '@scope/agent@1.2.3', args: ['--acp'], env: { LEVEL: '1' } },
        binary: new Map([
          [
            'linux-x86_64',
            {
              archive: linux.archive,
              kind: 'tar.gz',
              cmd: 'bin/agent',
              mayBeOfSystem: false,
              args: [],
              env: {},
            },
          ],
        ]),
      },
    ]);
  });

  const bad: readonly (readonly [string, unknown, RegExp])[] = [
    ['is no object', 7, /entry 1 .*must be an object/],
    ['has no id', { ...entry, id: undefined }, /^Skipped entry 1 .* missing “id”/],
    ['has an id that is a path', { ...entry, id: '../up' }, /invalid “id”/],
    ['has an id that is a device', { ...entry, id: 'con' }, /invalid “id”/],
    ['has no name', { ...entry, name: ' ' }, /missing “name”/],
    ['has an invisible name', { ...entry, name: '\u202e\u0007' }, /missing “name”/],
    ['has a version that is a path', { ...entry, version: '1.0.0/..' }, /version/],
    ['has a version that ends in two dots', { ...entry, version: '1.0.0..' }, /version/],
    ['has no distribution', { ...entry, distribution: [] }, /missing “distribution”/],
    ['has no way to run', { ...entry, distribution: {} }, /nothing to run/],
    [
      'has a package that is an option',
      { ...entry, distribution: { npx: { package: '--call=rm' } } },
      /invalid package name/,
    ],
    [
      'has a package that is a path',
      { ...entry, distribution: { npx: { package: '../evil' } } },
      /invalid package name/,
    ],
    [
      'has a package that is a URL',
      { ...entry, distribution: { uvx: { package: 'git+https://x' } } },
      /invalid package name/,
    ],
    ['has a cmd that is an option', { ...entry, distribution: { uvx: { package: 'a', cmd: '-c' } } }, /“cmd”/],
    ['has args that are not strings', { ...entry, distribution: { npx: { package: 'a', args: [{}] } } }, /“args”/],
    ['has args with line breaks', { ...entry, distribution: { npx: { package: 'a', args: ['a\nb'] } } }, /“args”/],
    ['has invalid variables', { ...entry, distribution: { npx: { package: 'a', env: { 'A B': '1' } } } }, /“env”/],
    ['is downloaded without encryption', binary({ archive: 'http://example.com/a.zip' }), /https/],
    ['is downloaded from a file', binary({ archive: 'file:///etc/passwd' }), /https/],
    ['is an installer', binary({ archive: 'https://example.com/a.dmg' }), /installer/],
    ['has an invalid checksum', binary({ sha256: 'abc' }), /SHA-256/],
    ['has a cmd outside its folder', binary({ cmd: '../../bin/sh' }), /outside its folder/],
    ['has an absolute cmd', binary({ cmd: '/bin/sh' }), /outside its folder/],
    ['has an absolute Windows cmd', binary({ cmd: 'C:\\Windows\\cmd.exe' }), /outside its folder/],
    ['has an endless id', { ...entry, id: 'x'.repeat(1_000_000) }, /too long/],
  ];
  for (const [what, value, problem] of bad) {
    test(`that ${what} is skipped and reported, and the others are kept`, () => {
      const good = { ...entry, id: 'good' };
      const { agents, problems } = decode(value, good);
      assert.deepEqual(
        agents.map(({ id }) => id),
        ['good'],
      );
      assert.match(problems.join('\n'), problem);
      assert.match(problems.join('\n'), /Skipped .* in the registry/);
      for (const words of problems) assert.ok(words.length < 300, words);
    });
  }

  test('with one invalid distribution keeps the others', () => {
    const { agents, problems } = decode({ ...entry, distribution: { ...npx, uvx: { package: '' }, binary: 'no' } });
    assert.deepEqual([agents[0]?.npx?.package, agents[0]?.uvx], ['@scope/agent@1.2.3', undefined]);
    assert.deepEqual(problems.length, 1);
    assert.match(problems[0]!, /^Skipped one \(uvx\)/);
  });

  test('that is duplicated counts once', () => {
    const { agents, problems } = decode(entry, { ...entry, name: 'Other' });
    assert.deepEqual([agents.length, agents[0]?.name], [1, 'One']);
    assert.match(problems[0]!, /same id/);
  });

  test('is shown on one line with a maximum length', () => {
    const { agents } = decode({ ...entry, name: `A\n\u202eB${'c'.repeat(500)}`, description: 'd'.repeat(5000) });
    assert.match(agents[0]!.name, /^A Bc+…$/);
    assert.equal(agents[0]!.name.length, 100);
    assert.equal(agents[0]!.description.length, 1000);
  });
});

test('rejects a value that is not a registry', () => {
  for (const value of [undefined, null, [], 'x', {}, { agents: {} }])
    assert.throws(() => decodeRegistry(value), /list of agents/);
});

test('cuts an endless registry', () => {
  const { agents, problems } = decode(
    ...Array.from({ length: 5000 }, (_item, index) => (index % 2 ? 7 : { ...entry, id: `a${index}` })),
  );
  assert.equal(agents.length, 1000);
  assert.equal(problems.length, 50);
});

test("a package without an exact version gets its entry's version", () => {
  const distribution = { npx: { package: '@scope/agent@latest' }, uvx: { package: 'agent', cmd: 'tool' } };
  const { agents } = decode({ ...entry, distribution });
  assert.deepEqual([agents[0]?.npx?.package, agents[0]?.uvx?.package], ['@scope/agent@1.2.3', 'agent==1.2.3']);
});
