// @ts-check
// Lists what the world has published since: `npm run news`. Compares the protocol's schema, the packages, the agents that tests use, VS Code,
// and the list of agents that ships with what is published today. Fails if the schema has something that Parley's doesn't: the table in
// docs/protocol.md gets a row for it, “not yet” at least.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recipes } from '../agents/agentRecipes.mjs';
import { inRoot } from '../root.mjs';
import { installPackages } from '../runner/steps.mjs';
import { cleanEnv, run } from '../workbench/run.mjs';
import { unpack } from '../workbench/unpack.mjs';
import { releases } from '../workbench/vscodeServer.mjs';
import { difference, namesIn } from './schemaNews.mjs';
import { newerOf, usedOf } from './versions.mjs';

const sdk = '@agentclientprotocol/sdk';
const ownSchema = inRoot('node_modules', sdk, 'schema');

/** Packages that stay behind on purpose. */
const held = new Map([
  ['@types/node', 'Node 22 is what the oldest VS Code runs'],
  ['@types/vscode', 'the oldest VS Code that the manifest allows'],
  ['typescript', 'typescript-eslint reads with it; types are checked by @typescript/native'],
]);

await installPackages();
const manifest = await json(inRoot('package.json'));
const publishing = await json(inRoot('.github', 'publish', 'package.json'));
const packages = Object.entries({ ...manifest.devDependencies, ...publishing.dependencies }).flatMap(
  ([name, version]) => (/^\d/.test(String(version)) ? [{ name, version: String(version) }] : []),
);
const agents = Object.values(recipes).flatMap(({ packages: specs }) => specs.map(usedOf));
const editor = [{ name: 'code-server', version: releases.latest.codeServer }];
const newest = await newestOf([...packages, ...agents, ...editor].map(({ name }) => name));

const protocol = await protocolNews();
tell('The protocol', protocol);
tell(
  'Packages',
  newerOf(
    packages.filter(({ name }) => !held.has(name)),
    newest,
  ),
);
tell(
  'Packages that stay behind',
  [...held].map(([name, why]) => `${name}: ${why}`),
);
tell('Agents that tests use', newerOf(agents, newest));
tell(
  'VS Code',
  newerOf(editor, newest).map((line) => `${line} (the tests’ newest VS Code; its floor is ${manifest.engines.vscode})`),
);
tell('The list of agents that ships', await registryNews());
if (protocol.length > 0) process.exitCode = 1;

/** @param {string} title @param {readonly string[]} lines */
function tell(title, lines) {
  console.log(`\n## ${title}\n`);
  console.log(lines.length === 0 ? 'Nothing new.' : lines.map((line) => `- ${line}`).join('\n'));
}

/** What the newest SDK's schema has more, and less, than the one that Parley is built with. */
async function protocolNews() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-news-'));
  try {
    await unpack(`${sdk}@latest`, 'package/schema', 2, folder);
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith('.json')).sort();
    const news = [];
    for (const file of files) {
      const before = await json(join(ownSchema, file)).catch(() => ({}));
      const { added, removed } = difference(namesIn(before), namesIn(await json(join(folder, file))));
      news.push(
        ...added.map((name) => `${file}: new ${name}`),
        ...removed.map((name) => `${file}: no ${name} any more`),
      );
    }
    return news;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param {readonly string[]} names @returns {Promise<Map<string, string>>} */
async function newestOf(names) {
  const found = new Map();
  const left = [...new Set(names)];
  const ask = async () => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const printed = await run('npm', ['view', name, 'version'], { env: cleanEnv() });
      found.set(name, printed.trim());
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  return found;
}

/** What the registry lists that isn't in the list that ships, or has another version there. */
async function registryNews() {
  const own = await json(inRoot('src', 'host', 'registry', 'snapshot.json'));
  const address = manifest.contributes.configuration.properties['parley.registry.url'].default;
  const response = await fetch(address, { signal: AbortSignal.timeout(30_000) }).catch(() => undefined);
  if (response?.ok !== true) return [`The registry can’t be reached. The list is of ${own.made}.`];
  const { agents: listed } = /** @type {{ agents: { id: string, version: string }[] }} */ (await response.json());
  /** @type {Map<string, string>} */
  const known = new Map(own.agents.map((/** @type {{ id: string, version: string }} */ one) => [one.id, one.version]));
  const news = listed.flatMap(({ id, version }) => {
    const had = known.get(id);
    return had === undefined ? [`new: ${id}`] : had === version ? [] : [`${id}: ${had} → ${version}`];
  });
  const ids = new Set(listed.map(({ id }) => id));
  return [...news, ...[...known.keys()].filter((id) => !ids.has(id)).map((id) => `no longer listed: ${id}`)];
}

/** @param {string} file */
async function json(file) {
  return JSON.parse(await readFile(file, 'utf8'));
}
