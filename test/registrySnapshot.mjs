// @ts-check
// Writes the list of agents that ships with Parley, as it is in the registry today. Every release runs it:
//   npm run registry
// With an address, it reads the list from there, and with --out, it writes another file. Icons come with the list, because
// Parley downloads none.
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { inRoot } from './root.mjs';

const publicRegistry = 'https://cdn.agentclientprotocol.com/registry/v1/latest/registry.json';
const patienceMs = 30_000;
/** Maximum size of an icon in bytes. One has 16 × 16 pixels and one color. */
const mostOfIcon = 8192;

const { values, positionals } = parseArgs({ options: { out: { type: 'string' } }, allowPositionals: true });
const [address = publicRegistry] = positionals;
const target = values.out ?? inRoot('src', 'host', 'registry', 'snapshot.json');

/** @param {string | URL} url */
async function download(url) {
  const { protocol, hostname } = new URL(url);
  const isHere = protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  if (protocol !== 'https:' && !isHere) throw new Error(`${url} isn't an https URL.`);
  const response = await fetch(url, { signal: AbortSignal.timeout(patienceMs) });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${response.statusText}`);
  return response.text();
}

/**
 * Returns an agent's icon, or undefined if it has none that can be shown. The page draws it in one color, and nothing in it
 * may run or load something.
 * @param {{ readonly id: string, readonly icon?: unknown }} agent
 */
async function iconOf({ id, icon }) {
  if (typeof icon !== 'string' || icon === '') return undefined;
  try {
    const text = (await download(new URL(icon, address))).trim();
    const svg = text.slice(Math.max(0, text.indexOf('<svg')));
    if (!/^<svg[\s>][^]*<\/svg>$/.test(svg)) throw new Error('not an SVG file');
    if (svg.length > mostOfIcon) throw new Error('too large');
    if (/<(script|foreignObject|image|style|use|a)[\s>]|\son\w+\s*=|href\s*=|url\((?!#)/i.test(svg))
      throw new Error('has more than shapes');
    return svg;
  } catch (error) {
    console.warn(`No icon for ${id}: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

const registry = JSON.parse(await download(address));
if (!Array.isArray(registry.agents) || registry.agents.length === 0)
  throw new Error(`${address} isn't a list of agents.`);
const agents = [];
for (const agent of registry.agents) {
  const { id, name, version, description, license, distribution } = agent;
  const icon = await iconOf(agent);
  agents.push({ id, name, version, description, license, distribution, ...(icon !== undefined && { icon }) });
}
agents.sort((one, other) => (one.id < other.id ? -1 : 1));
const snapshot = { made: new Date().toISOString().slice(0, 10), version: registry.version, agents };
const options = { ...(await resolveConfig(target)), parser: 'json' };
await writeFile(target, await format(JSON.stringify(snapshot), options));
console.log(`${agents.length} agents`);
