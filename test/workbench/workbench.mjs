// @ts-check
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inRoot } from '../root.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

/** VS Code's own themes with the workbench's class for each. */
const themes = {
  light: { name: 'Default Light Modern', className: 'vs' },
  dark: { name: 'Default Dark Modern', className: 'vs-dark' },
  'high-contrast': { name: 'Default High Contrast', className: 'hc-black' },
  'high-contrast-light': { name: 'Default High Contrast Light', className: 'hc-light' },
};

const extensionId = 'parley.parley-acp';
/** Rows of the palette and of quick picks. */
const rows = '.quick-input-list .monaco-list-row';

/** How long anything may take on a busy machine, in milliseconds. */
const busyMs = 60_000;

/** A window of VS Code in a browser, used like a person would. */
export class Workbench {
  /**
   * @param {Page} page
   * @param {import('./server.mjs').Server} server
   * @param {string} folder
   */
  constructor(page, server, folder) {
    this.page = page;
    this.server = server;
    /** Absolute path of the opened folder. */
    this.folder = folder;
    /** Errors of pages inside the window, including violations of their content security policy. @type {string[]} */
    this.problems = [];
    page.on('pageerror', (error) => {
      // Ignore the workbench's own errors.
      if (error.stack?.includes(extensionId)) this.problems.push(error.stack);
    });
    page.on('console', (message) => {
      const { url, lineNumber, columnNumber } = message.location();
      const isOurs = url.includes(extensionId) || url.includes('fake.html');
      if (isOurs && /Content Security Policy/i.test(message.text())) {
        this.problems.push(`${message.text()} (${url}:${lineNumber + 1}:${columnNumber + 1})`);
      }
    });
  }

  /**
   * Opens `folder` in a new browser context. Resolves when the workbench is ready.
   * @param {import('playwright-core').Browser} browser
   * @param {import('./server.mjs').Server} server
   * @param {string} folder
   * @param {{ query?: string, viewport?: { width: number, height: number }, density?: number, stillness?: boolean, userAgent?: string }} [options] `stillness`: nothing moves; `density`: pixels of a picture for one of the page; `userAgent`: another system
   */
  static async open(browser, server, folder, options = {}) {
    const { viewport = { width: 1280, height: 800 }, density = 1, stillness = false, userAgent } = options;
    const reducedMotion = stillness ? 'reduce' : 'no-preference';
    const context = await browser.newContext({
      viewport,
      deviceScaleFactor: density,
      reducedMotion,
      ...(userAgent !== undefined && { userAgent }),
    });
    context.setDefaultTimeout(busyMs);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    const workbench = new Workbench(await context.newPage(), server, folder);
    await workbench.page.goto(server.url(folder, options.query));
    await workbench.untilReady();
    return workbench;
  }

  /** Resolves when the window is drawn and its extension host answers. */
  async untilReady() {
    await this.page.locator('.monaco-workbench').waitFor();
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    // The remote indicator changes from "Opening Remote..." to the host's name once connected.
    const opening = this.page.locator('.part.statusbar [id="status.host"]', { hasText: /Opening/ });
    await opening.waitFor({ state: 'detached' });
    // From here on, the palette lists the commands of extensions.
    const loaded = () => performance.getEntriesByName('code/didLoadExtensions').length > 0;
    await this.page.waitForFunction(loaded);
  }

  /** Runs a command from the palette by its whole title, for example "Parley: Open Chat". @param {string} title */
  async runCommand(title) {
    // The most recently used command is first, perhaps with a longer title. Other parts of a row follow a comma.
    const row = this.page.locator(`${rows}:is([aria-label="${title}"], [aria-label^="${title},"])`);
    // The list is created when the palette opens, so a command registered later needs a new one. A loading window
    // or page may also take the focus, which closes the palette.
    for (let attempt = 0; ; attempt++) {
      try {
        await this.openQuickInput('F1', `>${title}`);
        await row.first().waitFor({ timeout: 5000 });
        // On a busy machine, a click that took too long has run the command nevertheless. A second one would toggle it back.
        await row.first().click({ timeout: busyMs / 2 });
        return;
      } catch (error) {
        const seen = await this.page.locator(rows).allInnerTexts();
        await this.page.keyboard.press('Escape');
        if (attempt < 10) continue;
        throw new Error(`No command "${title}" in the palette. It shows: ${seen.join(' | ')}`, { cause: error });
      }
    }
  }

  /**
   * Lenses with exactly this text, apart from their icon, in all editors or inside a part of the page.
   * @param {string} text @param {import('playwright-core').Locator} [within]
   */
  lens(text, within) {
    const all = (within ?? this.page).locator('.codelens-decoration a:visible');
    return all.filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) });
  }

  /**
   * Opens a file of the folder in an editor, through Quick Open.
   *
   * @param {string} path relative
   * @param {number} [line] where the cursor goes; without it, VS Code may bring back where it was
   */
  async openFile(path, line) {
    const name = path.split('/').at(-1) ?? path;
    // A loading window may miss keys.
    for (let attempt = 0; ; attempt++) {
      try {
        await this.openQuickInput('Control+p', line === undefined ? path : `${path}:${line}`);
        // A click may fall between the rows of the history and those of the search.
        await this.page.locator(`${rows}.focused`, { hasText: name }).waitFor({ timeout: 5000 });
        await this.page.keyboard.press('Enter');
        const tab = this.page.locator('.tabs-container .tab.active', { hasText: name });
        await tab.first().waitFor({ timeout: 5000 });
        return;
      } catch (error) {
        await this.page.keyboard.press('Escape');
        if (attempt === 5) throw error;
      }
    }
  }

  /** @param {string} key @param {string} text */
  async openQuickInput(key, text) {
    const input = this.page.locator('.quick-input-widget:visible input[type="text"]');
    await this.page.keyboard.press(key);
    await input.waitFor({ timeout: 5000 });
    await input.fill(text, { timeout: 3000 });
  }

  /** Picks an entry of the quick pick that is open now. @param {string | RegExp} label */
  async pick(label) {
    await this.page.locator(rows, { hasText: label }).first().click();
  }

  /**
   * The chat page in the secondary side bar. Located again at each use, so it survives reloads of page and window.
   * @returns {import('playwright-core').FrameLocator}
   */
  chatView() {
    const outer = `iframe.webview[src*="extensionId=${extensionId}" i]:visible:right-of(.part.editor)`;
    return this.page.frameLocator(outer).frameLocator('#active-frame');
  }

  /** Parley's page in the active editor tab. */
  editorView() {
    const outer = `iframe.webview[src*="extensionId=${extensionId}" i]:visible:left-of(.part.auxiliarybar)`;
    return this.page.frameLocator(outer).frameLocator('#active-frame');
  }

  /**
   * Resolves to the document of Parley's chat page once it is loaded.
   * @param {'view' | 'editor'} [place] in the side bar, or in an editor tab
   * @returns {Promise<Frame>}
   */
  async chatFrame(place = 'view') {
    const until = Date.now() + busyMs;
    for (;;) {
      for (const frame of this.page.frames()) {
        if (isChatPage(frame) && (await this.placeOf(frame)) === place) return frame;
      }
      const left = until - Date.now();
      if (left <= 0)
        throw new Error(`No chat page in the ${place} within ${busyMs / 1000} s. Frames: ${this.frameUrls()}`);
      // Showing an existing page is no navigation, so poll with a short wait.
      await this.page.waitForEvent('framenavigated', { timeout: Math.min(left, 500) }).catch(() => undefined);
    }
  }

  /**
   * Returns a webview's place by its rectangle, because VS Code keeps all webviews in one layer above the window, even
   * hidden ones.
   * @param {Frame} frame
   * @returns {Promise<'view' | 'editor' | 'hidden'>}
   */
  async placeOf(frame) {
    try {
      const element = await frame.parentFrame()?.frameElement();
      if (!element || !(await element.isVisible())) return 'hidden';
      const box = await element.boundingBox();
      const editor = await this.page.locator('.part.editor').boundingBox();
      if (!box || box.width === 0 || box.height === 0) return 'hidden';
      return editor && isInside(box, editor) ? 'editor' : 'view';
    } catch {
      return 'hidden'; // Removed in the meantime.
    }
  }

  frameUrls() {
    return this.page
      .frames()
      .map((frame) => frame.url())
      .join(' ');
  }

  /** Resolves to the notification with `text`, as a toast or in the notification center. @param {string} text */
  async notification(text) {
    const item = this.page.locator('.notification-list-item:visible', { hasText: text }).first();
    if (!(await item.isVisible())) await this.runCommand('Notifications: Show Notifications');
    await item.waitFor();
    return item;
  }

  /** A modal dialog of VS Code. */
  dialog() {
    return this.page.locator('.monaco-dialog-box');
  }

  /** The part of the window that contains Parley's view. */
  secondarySideBar() {
    return this.page.locator('.part.auxiliarybar');
  }

  /**
   * Changes machine settings while the window is open. The caller waits for the effect.
   * @param {Record<string, unknown>} patch a value of `undefined` removes the setting
   */
  async changeSettings(patch) {
    await this.server.changeSettings(patch);
  }

  /** @param {keyof typeof themes} theme */
  async setTheme(theme) {
    await this.changeSettings({ 'workbench.colorTheme': themes[theme].name });
    await this.untilTheme(theme);
  }

  /** Resolves when the window has applied this theme. @param {keyof typeof themes} theme */
  async untilTheme(theme) {
    await this.page.locator(`.monaco-workbench.${themes[theme].className}`).waitFor();
  }

  /** Drags the border of the secondary side bar until it is `width` pixels wide, or as close as VS Code allows. @param {number} width */
  async resizeSecondarySideBar(width) {
    const box = await this.secondarySideBar().boundingBox();
    if (!box) throw new Error('The secondary side bar is hidden.');
    const sashes = await this.page.locator('.monaco-sash.vertical:visible').all();
    for (const sash of sashes) {
      const border = await sash.boundingBox();
      if (!border || Math.abs(border.x + border.width / 2 - box.x) > 10) continue;
      const x = border.x + border.width / 2;
      const y = box.y + box.height / 2;
      await this.page.mouse.move(x, y);
      await this.page.mouse.down();
      await this.page.mouse.move(x + box.width - width, y, { steps: 8 });
      await this.page.mouse.up();
      return (await this.secondarySideBar().boundingBox())?.width ?? 0;
    }
    throw new Error('The secondary side bar has no border to drag.');
  }

  /** Hides or shows the secondary side bar, and with it the chat view. @param {boolean} shown */
  async showSecondarySideBar(shown) {
    if ((await this.secondarySideBar().isVisible()) !== shown) {
      await this.runCommand('View: Toggle Secondary Side Bar Visibility');
    }
    await this.secondarySideBar().waitFor({ state: shown ? 'visible' : 'hidden' });
  }

  /** Reloads the window like "Developer: Reload Window". */
  async reload() {
    await this.page.reload();
    await this.untilReady();
  }

  /** Reloads the window by its command, which first saves the state of the editors. */
  async reloadByCommand() {
    const gone = this.page.waitForEvent('load');
    await this.runCommand('Developer: Reload Window');
    await gone;
    await this.untilReady();
  }

  /** Saves a picture of the window as `out/shots/NAME.png`. @param {string} name */
  async screenshot(name) {
    const path = inRoot('out', 'shots', `${name}.png`);
    await mkdir(dirname(path), { recursive: true });
    // Wait until the theme has faded in.
    await this.page.screenshot({ path, animations: 'disabled', caret: 'hide' });
    return path;
  }

  /** Absolute path of a file in the opened folder. @param {string} path relative */
  file(path) {
    return join(this.folder, path);
  }

  /** Closes the window properly, so that its extension host shuts down immediately. */
  async close() {
    // Leaving the page lets the workbench disconnect. If it were only closed, the host would wait for a reconnection.
    await this.page.goto('about:blank').catch(() => undefined);
    await this.page.context().close();
  }
}

/** @param {Frame} frame */
function isChatPage(frame) {
  if (!frame.url().includes('fake.html')) return false;
  const outer = new URL(frame.parentFrame()?.url() ?? 'about:blank');
  return outer.searchParams.get('extensionId')?.toLowerCase() === extensionId;
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** Returns true if the center of `box` is in `outer`. @param {Box} box @param {Box} outer */
function isInside(box, outer) {
  const x = box.x + box.width / 2;
  const y = box.y + box.height / 2;
  return x > outer.x && x < outer.x + outer.width && y > outer.y && y < outer.y + outer.height;
}
