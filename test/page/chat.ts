import { after, before } from 'node:test';
import { constants, setPriority } from 'node:os';
import type axe from 'axe-core';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContext, ConsoleMessage, Locator, Page } from 'playwright-core';
import type { SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, PageState, ToWebview } from '../../src/shared/pages/messages';
import type { ToProvidersPage } from '../../src/shared/pages/modelProviders';
import type { TranscriptOp, TranscriptSnapshot } from '../../src/shared/transcript/ops';
import type { ToParleyPage } from '../../src/shared/pages/parleyPage';
import type { ToReviewPage } from '../../src/shared/changes/reviewPage';
import { startBrowser } from '../workbench/browser.mjs';
import { installFakeHost } from './fakeHost';
import { axePath, PageServer, themes, type Theme } from './pageServer';

/** How a page is opened: theme, size in CSS pixels, where it stands, and the words of another language. */
export interface ChatOptions {
  /** For tests that change what all tabs of a window share, such as its clock. */
  readonly ownWindow?: boolean;
  /** The time that the page's clock always shows. Pages with the same time share a window. */
  readonly time?: number;
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  readonly host?: 'view' | 'editor';
  readonly reducedMotion?: boolean;
  /** Device pixels per CSS pixel of the pictures when the page's tests run alone: a large picture takes longer than its test. */
  readonly scale?: number;
  readonly words?: Record<string, string>;
  /** Another page than the chat. */
  readonly page?: 'parley' | 'providers' | 'review' | 'tries' | undefined;
}

/** What opens pages for the tests of a file. */
export interface PageBrowser {
  open(options?: ChatOptions): Promise<Chat>;
}

type Posted<Type extends FromWebview['type']> = Extract<FromWebview, { type: Type }>;

const root = process.cwd();
/** Whether somebody wants to look at the pictures. What pictures are compared with is made as it is compared. */
export const isForLooking = process.env['PARLEY_PICTURES'] === 'sharp' && process.env['UPDATE_GOLDEN'] !== '1';

/** A window, and tabs in it that are over: to go to a new page in one takes half the time of opening another. */
interface Window {
  readonly context: BrowserContext;
  readonly free: Page[];
  /** Whether it is of one test only, and ends with it: what moves on a page that nobody looks at costs as much as on any other. */
  readonly isOwn: boolean;
}

interface Started {
  readonly browser: Browser;
  readonly server: PageServer;
  /** Windows by their device pixels and time: a tab in a window that is there takes half the time of a window of its own. */
  readonly windows: Map<string, Promise<Window>>;
}

/** Test files that share a process share what was started in it. */
let started: Promise<Started> | undefined;

async function start(): Promise<Started> {
  // It and its browser give way to the windows of VS Code that other tests drive at the same time.
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  const server = await PageServer.start(root);
  // One process for all tabs: to start one and to make it warm takes longer than most tests.
  return { server, browser: await startBrowser(['--renderer-process-limit=1']), windows: new Map() };
}

/** Starts one browser and one server for the tests of a process, and ends both after the last of them. */
export function useBrowser(): PageBrowser {
  before(async () => {
    await (started ??= start());
  });
  after(async () => {
    const ended = await started;
    started = undefined;
    await ended?.browser.close();
    await ended?.server.stop();
  });
  return {
    open: async (options = {}) => {
      if (!started) throw new Error('A page can be opened inside a test only.');
      const { browser, server, windows } = await started;
      const scale = isForLooking ? (options.scale ?? 1) : 1;
      const { ownWindow = false, time } = options;
      if (ownWindow) return Chat.open(await openWindow(browser, scale, { isOwn: true }), server, options);
      const key = `${scale} ${time}`;
      let window = windows.get(key);
      if (!window) {
        window = openWindow(browser, scale, { time });
        windows.set(key, window);
      }
      return Chat.open(await window, server, options);
    },
  };
}

async function openWindow(
  browser: Browser,
  scale: number,
  { isOwn = false, time }: { isOwn?: boolean; time?: number | undefined },
): Promise<Window> {
  const context = await browser.newContext({ deviceScaleFactor: scale });
  await context.addInitScript(installFakeHost);
  if (time !== undefined) await context.clock.setFixedTime(time);
  // An empty tab keeps a window open when the others are closed.
  if (!isOwn) await context.newPage();
  return { context, free: [], isOwn };
}

/** How many pages were opened; none has the state of another. */
let opened = 0;

/** How long a page may take to do what a test waits for. It is the test's clock, because tests change the page's. */
const patienceMs = 30_000;

/** What a promise resolves to. Rejects with these words if it takes too long. */
async function within<T>(promise: Promise<T>, otherwise: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(otherwise)), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The chat page in a tab of its own, with the test in the place of the extension host. */
export class Chat {
  readonly page: Page;
  /** What the page wrote to the console as an error, and what it threw. */
  readonly errors: string[] = [];

  private readonly window: Window;

  private constructor(page: Page, window: Window) {
    this.page = page;
    this.window = window;
    page.on('pageerror', this.threw);
    page.on('console', this.said);
  }

  static async open(window: Window, server: PageServer, options: ChatOptions): Promise<Chat> {
    const page = window.free.pop() ?? (await window.context.newPage());
    const { width = 420, height = 860 } = options;
    const size = page.viewportSize();
    if (size?.width !== width || size.height !== height) await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: options.reducedMotion ? 'reduce' : 'no-preference' });
    const chat = new Chat(page, window);
    const query = new URLSearchParams({
      theme: options.theme ?? 'dark',
      host: options.host ?? 'view',
      motion: options.reducedMotion ? 'reduced' : 'full',
      words: options.words ? JSON.stringify(options.words) : '',
      page: options.page ?? '',
      state: String(++opened),
    });
    await page.goto(`${server.origin}/?${query}`);
    await chat.posted('ready');
    return chat;
  }

  get message(): Locator {
    return this.page.getByRole('textbox', { name: 'Message' });
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The next page is opened in this tab: what a test has done to the tab itself must be undone here. */
  async close(): Promise<void> {
    const { page, window } = this;
    if (window.isOwn) return window.context.close();
    page.off('pageerror', this.threw);
    page.off('console', this.said);
    await page.unrouteAll();
    // No pointer lies over a page that has just been opened.
    await page.mouse.move(-10, -10);
    window.free.push(page);
  }

  private readonly threw = (error: Error): void => void this.errors.push(String(error));

  private readonly said = (message: ConsoleMessage): void => {
    if (message.type() === 'error') this.errors.push(message.text());
  };

  /** Sends one message of the extension host and waits until the page has drawn what came of it. */
  async receive(message: ToWebview | ToProvidersPage | ToParleyPage | ToReviewPage): Promise<void> {
    // As JSON, as VS Code hands messages to a page, and many times faster than arguments of the browser's own.
    await this.page.evaluate(async (json) => {
      window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(json) as unknown }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    }, JSON.stringify(message));
  }

  async showPage(page: PageState): Promise<void> {
    await this.receive({ type: 'page', page });
  }

  async showSession(session: SessionKey, snapshot: TranscriptSnapshot): Promise<void> {
    await this.receive({ type: 'snapshot', session, snapshot });
  }

  async apply(session: SessionKey, from: number, ops: readonly TranscriptOp[]): Promise<void> {
    await this.receive({ type: 'ops', session, from, to: from + ops.length, ops });
  }

  async allPosted(): Promise<readonly FromWebview[]> {
    return this.page.evaluate(() => window.fakeHost.posted);
  }

  /** All messages of one type so far, waiting for the first of them. */
  async posted<Type extends FromWebview['type']>(type: Type): Promise<readonly Posted<Type>[]> {
    const found = this.page.evaluate(
      (wanted) =>
        new Promise<FromWebview[]>((resolve) => {
          const look = () => {
            const all = window.fakeHost.posted.filter((message) => message.type === wanted);
            if (all.length === 0) return;
            window.removeEventListener('fake-host-posted', look);
            resolve(all);
          };
          window.addEventListener('fake-host-posted', look);
          look();
        }),
      type,
    );
    const all = await within(found, `The page posted no "${type}".`);
    return all.filter((message): message is Posted<Type> => message.type === type);
  }

  /** Waits for the page's own writing of its state, then makes the page anew, as VS Code does with a hidden one. */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.posted('ready');
  }

  /** Waits until the transcript stands still, for several frames: long ones are drawn in slices, and a wheel scrolls for a while. */
  async still(): Promise<void> {
    await this.page.evaluate(async () => {
      const place = () => {
        const { scrollTop, scrollHeight } = document.querySelector('.pl-feed') ?? document.body;
        return `${scrollTop} ${scrollHeight}`;
      };
      for (let frames = 0, last = place(); frames < 6; frames++) {
        await new Promise(requestAnimationFrame);
        const now = place();
        if (now !== last) frames = 0;
        last = now;
      }
    });
  }

  async violations(): Promise<readonly string[]> {
    return this.page.evaluate(() => window.fakeHost.violations);
  }

  /** Waits until the toolkit's elements are defined. */
  async toolkit(): Promise<void> {
    await this.page.waitForFunction(() => customElements.get('vscode-dropdown') !== undefined);
    await this.page.mouse.move(0, 0);
  }

  /** Changes the colour theme of the open page, as VS Code does. */
  async wear(theme: Theme): Promise<void> {
    await this.page.evaluate(
      async ([name, classes, all]) => {
        const sheet = document.querySelector<HTMLLinkElement>('link[href^="/themes/"]');
        const href = `/themes/${name}.css`;
        if (!sheet || sheet.getAttribute('href') === href) return;
        await new Promise((resolve) => {
          sheet.addEventListener('load', resolve, { once: true });
          sheet.setAttribute('href', href);
        });
        document.body.classList.remove(...all);
        document.body.classList.add(...classes.split(' '));
        // The toolkit takes over the new colours a frame later; then nothing is on its way from one colour to the other.
        for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
        for (const animation of document.getAnimations()) {
          if (Number(animation.effect?.getComputedTiming().endTime) < Infinity) animation.finish();
        }
      },
      [theme, themes[theme], Object.values(themes).flatMap((names) => names.split(' '))] as const,
    );
  }

  /** What axe finds, serious and critical only, one line each; with `rules`, by these alone. */
  async accessibilityProblems(rules?: readonly string[]): Promise<readonly string[]> {
    if (!(await this.page.evaluate(() => 'axe' in globalThis))) await this.page.addScriptTag({ url: axePath });
    const violations = await this.page.evaluate(async (only): Promise<AxeResults['violations']> => {
      const scanner = (globalThis as unknown as { axe: typeof axe }).axe;
      const options = only ? { runOnly: [...only] } : {};
      return (await scanner.run(document, { resultTypes: ['violations'], ...options })).violations;
    }, rules);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => ({
        id,
        // A feed without any article yet is an empty feed, not a broken one.
        nodes: nodes.filter(
          ({ html }) => !(id === 'aria-required-children' && /^<div class="pl-feed"[^>]*><\/div>$/.test(html)),
        ),
      }))
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} (${node.failureSummary ?? ''})`));
  }

  /** Whether something is wider than the page, or than the feed. */
  async hasHorizontalScroll(): Promise<boolean> {
    return this.page.evaluate(() =>
      [
        document.scrollingElement,
        ...document.querySelectorAll(
          '.pl, .pl-in, .pl-feed, .pl-startview, .pl-dock, .tray, .pl-providers, .pl-rules, .pl-usage, .pl-rfeed',
        ),
      ]
        .filter((element) => element !== null)
        .some((element) => element.scrollWidth > element.clientWidth + (element.matches('.tray') ? 2 : 0)),
    );
  }

  /** The page as it looks now, a PNG; what moves without end is at its beginning. */
  async picture(): Promise<Buffer> {
    return this.page.screenshot({ animations: 'disabled' });
  }
}
