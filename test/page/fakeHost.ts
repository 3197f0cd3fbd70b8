import type { FromWebview } from '../../src/shared/pages/messages';

/** What the page under test leaves behind for the tests to read. */
export interface FakeHost {
  readonly posted: FromWebview[];
  /** Directives of the content security policy that something ran into. */
  readonly violations: string[];
  /** How often the page wrote its state. */
  writes: number;
}

declare global {
  interface Window {
    fakeHost: FakeHost;
  }
}

/**
 * Runs in the page before anything of ours: stands in for VS Code's webview API. The state is kept in the tab's session
 * storage, so it outlives a reload as it does in VS Code, but not the page: a tab shows one after the other.
 * Must not refer to anything outside of itself.
 */
export function installFakeHost(): void {
  const key = 'vscode-state';
  const shown = location.search;
  if (sessionStorage.getItem('page') !== shown) sessionStorage.clear();
  sessionStorage.setItem('page', shown);
  const host: FakeHost = { posted: [], violations: [], writes: 0 };
  window.fakeHost = host;
  document.addEventListener('securitypolicyviolation', (event) => {
    host.violations.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`);
  });
  let isTaken = false;
  Object.assign(window, {
    acquireVsCodeApi: () => {
      if (isTaken) throw new Error('The API of a webview can be taken once.');
      isTaken = true;
      return {
        postMessage: (message: unknown) => {
          host.posted.push(structuredClone(message) as FromWebview);
          window.dispatchEvent(new Event('fake-host-posted'));
        },
        getState: (): unknown => JSON.parse(sessionStorage.getItem(key) ?? 'null') ?? undefined,
        setState: (state: unknown) => {
          host.writes++;
          sessionStorage.setItem(key, JSON.stringify(state));
        },
      };
    },
  });
}
