// @ts-check
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { cleanEnv, run } from './run.mjs';

const programs = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Chromium of this machine, named by `PARLEY_CHROMIUM` or found on the path. */
async function findChromium() {
  const own = process.env['PARLEY_CHROMIUM'];
  if (own) return own;
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const program of programs) {
      const file = join(folder, program);
      const runs = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      );
      if (runs) return file;
    }
  }
  return undefined;
}

/**
 * Path of Chromium, after installing it and a font with emoji from Debian if there is none.
 * @param {(text: string) => void} [say] told what takes long
 */
export async function ensureChromium(say = () => {}) {
  const found = await findChromium();
  if (found) return found;
  say('Installing Chromium with apt-get …');
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const packages = ['chromium', 'fonts-noto-color-emoji'];
  try {
    for (const args of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
      const [command = '', ...rest] = [...sudo, 'apt-get', '-qq', ...args];
      await run(command, rest, { env: { ...cleanEnv(), DEBIAN_FRONTEND: 'noninteractive' } });
    }
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The browser tests need Chromium. Install it, or name one in PARLEY_CHROMIUM, and run again.\n${cause}`,
    );
  }
  const installed = await findChromium();
  if (!installed) throw new Error('Chromium was installed but is not on the path. Name it in PARLEY_CHROMIUM.');
  return installed;
}

/** Starts Chromium without a window; the caller closes it. */
export async function startBrowser() {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
