import type { Page } from 'playwright-core';

/** The name under which VS Code keeps what the chat view remembers, in a database for each workspace. */
const key = 'memento/webviewView.parley.chat';

/**
 * At the next load of the window nothing is left of what the chat view remembered, as when a window or a browser was ended before
 * VS Code had written it.
 */
export async function losePageMemory(page: Page): Promise<void> {
  await page.addInitScript(async (name) => {
    if (window.top !== window || sessionStorage.getItem('lost') === name) return;
    sessionStorage.setItem('lost', name);
    for (const { name: database = '' } of await indexedDB.databases()) {
      const opening = indexedDB.open(database);
      opening.onsuccess = () => {
        const { result } = opening;
        if (!result.objectStoreNames.contains('ItemTable')) {
          result.close();
          return;
        }
        const lost = result.transaction('ItemTable', 'readwrite');
        lost.objectStore('ItemTable').delete(name);
        lost.oncomplete = () => result.close();
      };
    }
  }, key);
}

/** VS Code hears nothing of what pages remember that are opened from now on, as when the window ends before it does; until disposed. */
export function keepNothing(page: Page): Promise<{ dispose: () => Promise<void> }> {
  return page.addInitScript(() => {
    type Post = (command: string, data: unknown) => void;
    let post: Post | undefined;
    // What VS Code's frame around a page offers to it.
    Object.defineProperty(window, '__vscode_post_message__', {
      get: () => post,
      set: (real: Post) => (post = (command, data) => command === 'do-update-state' || real(command, data)),
    });
  });
}
