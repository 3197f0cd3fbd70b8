// @ts-check
// Measures the built VSIX in a real VS Code, from the Enter key to the last text on screen.
import { inRoot } from '../../root.mjs';

/** @typedef {import('../../workbench/workbench.mjs').Workbench} Workbench */

/** @param {readonly number[]} values @param {number} share */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Returns the entry of `parley.agents` for the benchmark's agent. @param {string} node absolute path of Node */
export function benchAgent(node) {
  return { Bench: { command: node, args: [inRoot('test/bench/workbench/benchAgent.mjs')] } };
}

/** One chat page under measurement. */
export class ChatBench {
  /** @param {Workbench} workbench */
  constructor(workbench) {
    this.workbench = workbench;
    this.marks = 0;
  }

  /** Opens a new session with the benchmark's agent and waits until it accepts prompts. */
  async newSession() {
    await this.workbench.secondarySideBar().getByRole('button', { name: 'New Session' }).first().click();
    this.frame = await this.workbench.chatFrame();
    await this.frame.locator('[role=feed]:not(:has(article))').waitFor();
    const box = this.frame.getByRole('textbox', { name: 'Message' });
    await box.waitFor();
    await this.turn('raw', 1);
  }

  /**
   * Sends a prompt and measures, by the page's clock, from the key press until the turn's last text is laid out. Also returns
   * the longest task of the page in between, and the time since the agent sent that text, by the agent's clock.
   * @param {string} name @param {number} count
   * @returns {Promise<{ ms: number, afterLast: number, longestTask: number, longTasks: number }>}
   */
  async turn(name, count) {
    const frame = this.frame;
    if (!frame) throw new Error('No session is open.');
    this.marks += 1;
    const mark = `m${this.marks}`;
    const box = frame.getByRole('textbox', { name: 'Message' });
    await box.fill(`${name} ${count} ${mark}`);
    await frame.evaluate(installAfterPaint);
    await frame.evaluate(measureTurn, `end-of-${mark}`);
    await box.press('Enter');
    const result = await this.measured(frame);
    // The turn ends only with its response. The next prompt must not be queued.
    await frame.locator('[role=feed][aria-busy=false]').waitFor({ timeout: 60_000 });
    return result;
  }

  /**
   * Opens a session that the agent has stored and measures from the Enter key in the list of sessions until the last text of the
   * replay is laid out.
   * @param {number} at index of the session, which must not be open, or there is no replay
   * @returns {Promise<number>} milliseconds
   */
  async replay(at) {
    const { page } = this.workbench;
    await this.workbench.runCommand('Parley: Open Session…');
    await page.locator('.quick-input-widget:visible input[type="text"]').fill(`Kept ${at}`);
    await page.locator('.quick-input-list .monaco-list-row.focused', { hasText: `Kept ${at}` }).waitFor();
    // The list ignores a choice within half a second after the entry appeared (`SteadyPlaces`).
    await page.waitForTimeout(600);
    const frame = await this.workbench.chatFrame();
    await frame.evaluate(installAfterPaint);
    await frame.evaluate(measureTurn, `end-of-kept-${at}`);
    await page.evaluate(() => {
      const own = /** @type {any} */ (window);
      const noteTime = () => {
        own.benchEnter = performance.timeOrigin + performance.now();
      };
      addEventListener('keydown', noteTime, { capture: true, once: true });
    });
    await page.keyboard.press('Enter');
    const { end } = await this.measured(frame);
    return end - (await page.evaluate(() => /** @type {any} */ (window).benchEnter));
  }

  /** Waits for the end of the measurement by `measureTurn`. @param {import('playwright-core').Frame} frame */
  async measured(frame) {
    await frame.waitForFunction(() => /** @type {any} */ (window).benchDone === true, undefined, {
      timeout: 300_000,
      // Polling on every frame would affect the measurement.
      polling: 100,
    });
    return frame.evaluate(() => /** @type {any} */ (window).benchResult);
  }

  /**
   * Returns the delay from the agent to the screen in milliseconds for each chunk, at 60 chunks per second.
   * @param {number} count
   */
  async paced(count) {
    const frame = this.frame;
    if (!frame) throw new Error('No session is open.');
    await frame.evaluate(installAfterPaint);
    await frame.evaluate(collectDelays);
    await this.turn('paced', count);
    return /** @type {Promise<number[]>} */ (frame.evaluate(() => /** @type {any} */ (window).benchDelays));
  }
}

/**
 * Runs in the page: `benchAfterPaint(action)` runs an action once all changes so far have been laid out and painted. A message
 * posted from a frame is handled after that frame, and changes between two frames are on screen with the next.
 */
function installAfterPaint() {
  const own = /** @type {any} */ (window);
  if (own.benchAfterPaint) return;
  const request = window.requestAnimationFrame.bind(window);
  let isInFrame = false;
  const ends = new MessageChannel();
  /** @type {(() => void)[][]} */
  const frames = [];
  ends.port1.onmessage = () => {
    isInFrame = false;
    for (const action of frames.shift() ?? []) action();
  };
  const inFrame = (/** @type {(() => void)[]} */ actions) => {
    isInFrame = true;
    frames.push(actions);
    ends.port2.postMessage(0);
  };
  window.requestAnimationFrame = (callback) =>
    request((time) => {
      inFrame([]);
      callback(time);
    });
  own.benchAfterPaint = (/** @type {() => void} */ action) => {
    if (isInFrame) inFrame([action]);
    else request(() => inFrame([action]));
  };
}

/** Runs in the page. @param {string} text the turn's last text */
function measureTurn(text) {
  const own = /** @type {any} */ (window);
  own.benchDone = false;
  let start = 0;
  /** @type {number[]} */
  const tasks = [];
  const longTasks = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (start > 0 && entry.startTime >= start) tasks.push(entry.duration);
  });
  longTasks.observe({ type: 'longtask' });
  addEventListener(
    'keydown',
    () => {
      start = performance.now();
    },
    { capture: true, once: true },
  );
  const feed = document.querySelector('[role=feed]');
  if (!feed) throw new Error('The page has no transcript.');
  const observer = new MutationObserver((records) => {
    if (!records.some((record) => holds(record, text))) return;
    observer.disconnect();
    const sent = Number(/last:(\d+\.\d+); [^;]*$/.exec(feed.textContent ?? '')?.[1]);
    own.benchAfterPaint(() => {
      const ms = performance.now() - start;
      const end = performance.timeOrigin + performance.now();
      // The observer reports its entries a little later.
      setTimeout(() => {
        longTasks.disconnect();
        own.benchResult = {
          ms,
          end,
          afterLast: end - sent,
          longestTask: Math.max(0, ...tasks),
          longTasks: tasks.length,
        };
        own.benchDone = true;
      }, 100);
    });
  });
  observer.observe(feed, { childList: true, subtree: true, characterData: true });
  /** @param {MutationRecord} record @param {string} wanted */
  function holds(record, wanted) {
    if (record.target.nodeType === 3 && record.target.textContent?.includes(wanted)) return true;
    for (const node of record.addedNodes) if (node.textContent?.includes(wanted)) return true;
    return false;
  }
}

/** Runs in the page: reads the times that the agent sends as text as soon as they are on screen. */
function collectDelays() {
  const own = /** @type {any} */ (window);
  /** @type {number[]} */
  const delays = [];
  own.benchDelays = delays;
  own.benchDelayObserver?.disconnect();
  const seen = new Set();
  const feed = document.querySelector('[role=feed]');
  if (!feed) throw new Error('The page has no transcript.');
  const observer = new MutationObserver((records) => {
    /** @type {number[]} */
    const fresh = [];
    for (const record of records) {
      for (const node of [record.target, ...record.addedNodes]) {
        if (node === feed) continue;
        const text = node.textContent ?? '';
        // Only the end of a long text is new.
        for (const match of text.slice(-400).matchAll(/clock:(\d+\.\d+);/g)) {
          if (seen.has(match[1])) continue;
          seen.add(match[1]);
          fresh.push(Number(match[1]));
        }
      }
    }
    if (fresh.length === 0) return;
    own.benchAfterPaint(() => {
      const now = performance.timeOrigin + performance.now();
      for (const clock of fresh) delays.push(now - clock);
    });
  });
  observer.observe(feed, { childList: true, subtree: true, characterData: true });
  own.benchDelayObserver = observer;
}
