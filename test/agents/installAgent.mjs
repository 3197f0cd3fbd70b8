// @ts-check
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder, makeOnce } from '../workbench/cache.mjs';
import { cleanEnv, run } from '../workbench/run.mjs';

/**
 * Installs an agent from npm into the cache outside the project, once per version. Resolves to its folder.
 * @param {import('./agentRecipes.mjs').AgentRecipe} recipe
 * @returns {Promise<string>}
 */
export function installAgent(recipe) {
  const name = recipe.packages.join('+').replace(/[^\w.@+-]/g, '_');
  return makeOnce(join(cacheFolder(), 'agents', name), async (folder) => {
    await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true }));
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--omit=dev'];
    await run('npm', ['install', ...options, ...recipe.packages], { cwd: folder, env: cleanEnv() });
  });
}

/**
 * Returns the entry of `parley.agents` for an installed agent that uses a scripted model.
 * @param {import('./agentRecipes.mjs').AgentRecipe} recipe
 * @param {{ folder: string, node: string, home: string, modelUrl: string }} at
 */
export function agentSetting(recipe, { folder, node, home, modelUrl }) {
  const program = join(folder, recipe.program);
  const env = {
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    ...recipe.env(home, modelUrl),
  };
  return recipe.byNode
    ? { command: node, args: [program, ...recipe.args], env }
    : { command: program, args: recipe.args, env };
}
