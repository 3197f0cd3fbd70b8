// @ts-check
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';
import { aptGet } from './apt.mjs';

/** Chromium without its own windows, which halves the work for a page. */
const shell = 'chromium-headless-shell';
const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @param {readonly string[]} programs @returns {Promise<string | undefined>} the first one on the PATH */
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
 * Resolves to the path of Chromium: from `PARLEY_CHROMIUM`, or else its shell, or else the browser. If there is none, installs the shell
 * and an emoji font from Debian. If there is only the browser, installs the shell only as root, such as in a container, so that no
 * personal machine gets an unneeded package.
 * @param {(text: string) => void} [say] called with the progress of slow steps
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
    // Fails at once without the list of packages or if there is no such package.
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

/** Older releases have no separate shell package. */
async function installAny() {
  const install = (/** @type {string} */ name) =>
    aptGet('install', '-y', '--no-install-recommends', name, 'fonts-noto-color-emoji');
  await install(shell).catch(() => install('chromium'));
}

/**
 * Starts Chromium without a window. The caller closes it.
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
