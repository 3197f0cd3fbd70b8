// @ts-check
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { aptGet } from './apt.mjs';

/** Chromium without the parts that draw its own windows: a page in it takes half the work. */
const shell = 'chromium-headless-shell';
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @param {readonly string[]} programs @returns {Promise<string | undefined>} the first of them on the path */
async function find(programs) {
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
 * Path of Chromium: the one that `PARLEY_CHROMIUM` names, else its shell, else the browser. Where there is none, the shell and a font
 * with emoji are installed from Debian; beside a browser only in a container or the like, where root runs the tests: nobody's own
 * machine gets a package that it does not need.
 * @param {(text: string) => void} [say] told what takes long
 */
export async function ensureChromium(say = () => {}) {
  const named = process.env['PARLEY_CHROMIUM'];
  if (named) return named;
  const best = await find([shell]);
  if (best) return best;
  const browser = await find(browsers);
  if (browser && process.getuid?.() !== 0) return browser;
  say('Installing Chromium’s headless shell with apt-get …');
  try {
    if (!browser) await aptGet('update');
    // Without the list of packages, or on a system that has no such package, this fails at once.
    if (browser) await aptGet('install', '-y', '--no-install-recommends', shell);
    else await installAny();
  } catch (error) {
    if (browser) return browser;
    const cause = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The browser tests need Chromium. Install it, or name one in PARLEY_CHROMIUM, and run again.\n${cause}`,
    );
  }
  const installed = await find([shell, ...browsers]);
  if (!installed) throw new Error('Chromium was installed but is not on the path. Name it in PARLEY_CHROMIUM.');
  return installed;
}

/** Older releases have no shell of its own. */
async function installAny() {
  const install = (/** @type {string} */ name) =>
    aptGet('install', '-y', '--no-install-recommends', name, 'fonts-noto-color-emoji');
  await install(shell).catch(() => install('chromium'));
}

/**
 * Starts Chromium without a window; the caller closes it.
 * @param {readonly string[]} [flags]
 */
export async function startBrowser(flags = []) {
  return chromium.launch({
    executablePath: await ensureChromium(),
    args: [
      ...flags,
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
