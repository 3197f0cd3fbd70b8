// @ts-check
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cleanEnv, run } from './run.mjs';

/**
 * Downloads a package with npm, which checks its integrity, and unpacks one part of it into `target`.
 * @param {string} spec
 * @param {string} part path inside the archive
 * @param {number} strip leading folders to drop
 * @param {string} target
 */
export async function unpack(spec, part, strip, target) {
  const printed = await run('npm', ['pack', spec, '--json', '--pack-destination', target], {
    cwd: target,
    env: { ...cleanEnv(), npm_config_loglevel: 'silent' },
  });
  const file = /"filename":\s*"([^"]+)"/.exec(printed)?.[1];
  if (!file) throw new Error(`npm pack ${spec} named no file:\n${printed}`);
  const archive = join(target, file);
  await run('tar', ['-xzf', archive, '-C', target, `--strip-components=${strip}`, part]);
  await rm(archive);
}
