// @ts-check
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { cacheFolder } from '../workbench/cache.mjs';

/**
 * The file in which a check remembers its last run. It is outside the project, and each copy of the project has its own.
 * @param {string} name
 */
export function stepCache(name) {
  const project = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return join(cacheFolder(), 'checks', project, name);
}
