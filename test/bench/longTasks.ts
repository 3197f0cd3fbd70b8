import type { Chat } from '../page/chat';

interface Watched {
  tasks: { readonly startTime: number; readonly duration: number }[];
  /** Tasks that began before this time are those of the measurement itself. */
  since: number;
}

/** Records the long tasks of a page from now on. */
export function watchTasks(chat: Chat): Promise<void> {
  return chat.page.evaluate(() => {
    const own = window as unknown as Watched;
    own.tasks = [];
    own.since = performance.now();
    new PerformanceObserver((list) => own.tasks.push(...list.getEntries())).observe({ entryTypes: ['longtask'] });
  });
}

/** The longest task since the last call, in milliseconds; 0 if none was longer than 50. */
export function longestTask(chat: Chat): Promise<number> {
  return chat.page.evaluate(async () => {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const own = window as unknown as Watched;
    const longest = Math.max(
      0,
      ...own.tasks.filter(({ startTime }) => startTime >= own.since).map(({ duration }) => duration),
    );
    own.tasks = [];
    own.since = performance.now();
    return longest;
  });
}
