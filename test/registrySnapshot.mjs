// @ts-check
// Writes the list of agents that ships with Parley, from a checkout of https://github.com/agentclientprotocol/registry:
// node test/registrySnapshot.mjs PATH_TO_CHECKOUT
// The versions of npm packages are those that npm has now, as the registry's own release does it.
import { execFileSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { inRoot } from './root.mjs';

const target = inRoot('src', 'host', 'registry', 'snapshot.json');
const [checkout] = process.argv.slice(2);
if (checkout === undefined) {
  console.error('Usage: node test/registrySnapshot.mjs PATH_TO_CHECKOUT');
  process.exit(1);
}

/** What moved to another package after a checkout was made. @type {Record<string, Record<string, unknown>>} */
const moved = {
  'claude-code-acp': {
    id: 'claude-acp',
    name: 'Claude',
    description: 'ACP adapter for Claude Code',
    license: 'Apache-2.0',
    distribution: { npx: { package: '@agentclientprotocol/claude-agent-acp' } },
  },
  'codex-acp': {
    name: 'Codex',
    description: 'ACP adapter for OpenAI’s coding agent',
    distribution: { npx: { package: '@agentclientprotocol/codex-acp' } },
  },
  'github-copilot': {
    id: 'github-copilot-cli',
    name: 'GitHub Copilot CLI',
    distribution: { npx: { package: '@github/copilot', args: ['--acp'] } },
  },
  gemini: { distribution: { npx: { package: '@google/gemini-cli', args: ['--acp'] } } },
};

/** @param {string} name */
function newest(name) {
  return JSON.parse(execFileSync('npm', ['view', name, 'version', '--json'], { encoding: 'utf8' }));
}

const agents = [];
for (const folder of (await readdir(checkout, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
  // Folders that start with "_" or "." contain no published agents.
  if (!folder.isDirectory() || /^[._]/.test(folder.name)) continue;
  const text = await readFile(join(checkout, folder.name, 'agent.json'), 'utf8').catch(() => undefined);
  if (text === undefined) continue;
  const written = JSON.parse(text);
  const entry = { ...written, ...moved[written.id] };
  const { id, name, description, license, distribution } = entry;
  const { npx } = distribution;
  let { version } = entry;
  if (npx) {
    const bare = npx.package.replace(/(?<=.)@[^@/]*$/, '');
    version = newest(bare);
    npx.package = `${bare}@${version}`;
  }
  agents.push({ id, name, version, description, license, distribution });
}

const registry = { made: new Date().toISOString().slice(0, 10), version: '1.0.0', agents };
const options = { ...(await resolveConfig(target)), parser: 'json' };
await writeFile(target, await format(JSON.stringify(registry), options));
console.log(`${agents.length} agents`);
