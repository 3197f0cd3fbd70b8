// @ts-check
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { root } from '../root.mjs';
import { cacheFolder } from '../workbench/cache.mjs';

/**
 * Where a check keeps what it knows from its last run: outside the project, apart for each copy of the project.
 * @param {string} name
 */
export function stepCache(name) {
  const project = createHash('sha256').update(root).digest('hex').slice(0, 12);
  return join(cacheFolder(), 'checks', project, name);
}
