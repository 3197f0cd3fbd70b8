import * as l10n from '@vscode/l10n';

/** The fixed parts of the page, from top to bottom. */
export interface Layout {
  /** The list of all sessions, over the other parts or beside them. */
  readonly sessions: HTMLElement;
  readonly top: HTMLElement;
  readonly middle: HTMLElement;
  readonly feed: HTMLElement;
  readonly start: HTMLElement;
  readonly dock: HTMLElement;
  readonly tray: HTMLElement;
  readonly composer: HTMLElement;
  readonly speech: HTMLElement;
}

/** Builds the page's grid in `root`: header, transcript or start page, and the dock with tray and composer. */
export function createLayout(root: HTMLElement): Layout {
  const inner = element('div', 'pl-in');
  const sessions = element('aside', 'pl-sessview');
  sessions.setAttribute('aria-label', l10n.t('Sessions'));
  const top = element('div', 'pl-top');
  top.hidden = true;
  const middle = element('main', 'pl-mid');
  const feed = element('div', 'pl-feed');
  feed.setAttribute('role', 'feed');
  feed.setAttribute('aria-label', l10n.t('Transcript'));
  feed.setAttribute('aria-busy', 'false');
  feed.tabIndex = 0;
  feed.hidden = true;
  const start = element('div', 'pl-startview');
  start.hidden = true;
  middle.append(feed, start);
  const dock = element('div', 'pl-dock');
  const column = element('div', 'pl-dockcol');
  const tray = element('div', 'pl-traybox');
  const composer = element('div', 'pl-composerbox');
  column.append(tray, composer);
  dock.append(column);
  const speech = element('div', 'pl-speech');
  inner.append(sessions, top, middle, dock, speech);
  root.replaceChildren(inner);
  return { sessions, top, middle, feed, start, dock, tray, composer, speech };
}

function element(tag: string, className: string): HTMLElement {
  const element = document.createElement(tag);
  element.className = className;
  return element;
}
