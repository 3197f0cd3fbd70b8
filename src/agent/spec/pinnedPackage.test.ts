import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pinnedPackage, unpinnedPackage } from './pinnedPackage';

test("a package without an exact version gets its entry's version", () => {
  for (const [kind, name, pinned, cmd] of [
    ['npx', 'agent', 'agent@1.2.3'],
    ['npx', '@scope/agent', '@scope/agent@1.2.3'],
    ['npx', '@scope/agent@latest', '@scope/agent@1.2.3'],
    ['npx', 'agent@^2', 'agent@1.2.3'],
    ['npx', 'agent@2', 'agent@1.2.3'],
    ['npx', '@scope/agent@2.0.0-beta.1', '@scope/agent@2.0.0-beta.1'],
    ['uvx', 'agent', 'agent@1.2.3'],
    ['uvx', 'agent', 'agent==1.2.3', 'tool'],
    ['uvx', 'agent[acp]', 'agent[acp]==1.2.3'],
    ['uvx', 'agent==2.0', 'agent==2.0'],
    ['uvx', 'agent@latest', 'agent@1.2.3'],
  ] as const) {
    assert.equal(pinnedPackage(kind, name, '1.2.3', cmd), pinned, `${kind} ${name}`);
  }
});

test("recognizes a command that runs a package's newest version", () => {
  for (const [line, name] of [
    ['npx -y @scope/server /tmp', '@scope/server'],
    ['/usr/bin/npx --yes server@latest', 'server@latest'],
    ['npx.cmd --package=server tool', 'server'],
    ['npx -p server tool', 'server'],
    ['npm exec -- server', 'server'],
    ['pnpm dlx server', 'server'],
    ['uvx --from server[http] tool', 'server[http]'],
    ['uv tool run server', 'server'],
    ['npx server@1.0.0', undefined],
    ['uvx server==1.0', undefined],
    ['npx ./local', undefined],
    ['uvx git+https://example.com/server', undefined],
    ['node server.js', undefined],
    ['npm run server', undefined],
    ['npx', undefined],
  ] as const) {
    const [command = '', ...args] = line.split(' ');
    assert.equal(unpinnedPackage(command, args), name, line);
  }
});
