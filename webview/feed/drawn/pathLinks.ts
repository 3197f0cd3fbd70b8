import { Disposable } from '../../../src/shared/values/disposable';
import type { FoundPath } from '../../../src/shared/pages/messages';
import { pathMentions, wholePathMention, type PathMention } from '../../../src/shared/text/pathMentions';
import type { RenderQueue, RenderTask } from '../../base/renderQueue';
import type { BlockReader } from '../../markdown/markdownStream';

/** Maximum number of paths in one question to the host. */
const asksAtOnce = 100;
/** Maximum number of answers to remember. The oldest are forgotten, and asked for again if they are needed. */
const remembered = 5000;
/** How long paths are collected before the host is asked, in milliseconds. */
const collectMs = 60;
/** Paths in these aren't looked at. */
const excluded = 'a, pre, button, .pl-code';

/** A text, or an inline code as a whole, that has paths whose answer isn't known yet. */
type Place = Text | HTMLElement;

/**
 * Makes links of paths in agents' texts once the host has said that they are files. Asks about each path once, several at a time,
 * and again only if a file of that name was created.
 */
export class PathLinks extends Disposable implements BlockReader {
  private readonly feed: HTMLElement;
  private readonly queue: RenderQueue;
  private readonly ask: (paths: readonly string[]) => void;
  /** The absolute path of each path that is a file, and empty for those that aren't. */
  private readonly known = new Map<string, string>();
  private readonly waiting = new Map<string, Set<Place>>();
  private unasked: string[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private again: RenderTask | undefined;

  constructor(feed: HTMLElement, queue: RenderQueue, ask: (paths: readonly string[]) => void) {
    super();
    this.feed = feed;
    this.queue = queue;
    this.ask = ask;
    this.register({ dispose: () => clearTimeout(this.timer) });
  }

  read(blocks: readonly Element[]): void {
    for (const block of blocks) {
      if (block instanceof HTMLElement && block.matches(excluded)) continue;
      for (const place of placesIn(block)) this.look(place);
    }
  }

  /** Takes the host's answer about `asked`. */
  answer(asked: readonly string[], found: readonly FoundPath[]): void {
    const files = new Map(found.map(({ path, file }) => [path, file]));
    const places = new Set<Place>();
    for (const path of asked) {
      this.remember(path, files.get(path) ?? '');
      for (const place of this.waiting.get(path) ?? []) places.add(place);
      this.waiting.delete(path);
    }
    for (const place of places) this.look(place);
  }

  /** Files with these names were created: asks again about paths that end in one. Without names, about all. */
  lookAgain(names: readonly string[] | undefined): void {
    const created = names && new Set(names);
    let isAffected = false;
    for (const [path, file] of this.known) {
      if (file !== '' || (created && !created.has(nameOf(path)))) continue;
      this.known.delete(path);
      isAffected = true;
    }
    if (!isAffected) return;
    // Several files appear one after the other; the page is read once, after the last.
    if (this.again) this.queue.delete(this.again);
    const blocks = [...this.feed.querySelectorAll('.pl-md-group:not(.live)')];
    const task: RenderTask = {
      step: (deadline) => {
        while (blocks.length > 0) {
          this.read(blocks.splice(-1));
          if (performance.now() >= deadline && blocks.length > 0) return false;
        }
        return true;
      },
    };
    this.again = task;
    this.queue.addIdle(task);
  }

  /** Forgets all answers. The next texts are of another session, with other folders. */
  forget(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.known.clear();
    this.waiting.clear();
    this.unasked = [];
    if (this.again) this.queue.delete(this.again);
    this.again = undefined;
  }

  private look(place: Place): void {
    if (place instanceof Text) {
      const mentions = pathMentions(place.data);
      for (const { path } of mentions) this.need(path, place);
      // A link cuts the text in two, so the text waits until all answers are known.
      if (mentions.some(({ path }) => !this.known.has(path))) return;
      // From the end, so that the places of those before it stay right.
      for (const mention of mentions.toReversed()) {
        const file = this.known.get(mention.path) ?? '';
        if (file !== '') linkPart(place, mention, file);
      }
      return;
    }
    const mention = wholePathMention(place.textContent);
    if (!mention) return;
    this.need(mention.path, place);
    const file = this.known.get(mention.path) ?? '';
    if (file === '' || !place.parentNode) return;
    const link = createLink(mention, file);
    place.replaceWith(link);
    link.append(place);
  }

  private need(path: string, place: Place): void {
    if (this.known.has(path)) return;
    const places = this.waiting.get(path);
    if (places) {
      places.add(place);
      return;
    }
    this.waiting.set(path, new Set([place]));
    this.unasked.push(path);
    this.timer ??= setTimeout(() => this.askNow(), collectMs);
  }

  private askNow(): void {
    this.timer = undefined;
    const paths = this.unasked;
    this.unasked = [];
    for (let at = 0; at < paths.length; at += asksAtOnce) this.ask(paths.slice(at, at + asksAtOnce));
  }

  private remember(path: string, file: string): void {
    this.known.delete(path);
    this.known.set(path, file);
    for (const oldest of this.known.keys()) {
      if (this.known.size <= remembered) break;
      this.known.delete(oldest);
    }
  }
}

/** Returns the texts and inline codes of a block that may have paths. */
function placesIn(block: Element): Place[] {
  const places: Place[] = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) => {
    if (!(node instanceof HTMLElement)) return NodeFilter.FILTER_ACCEPT;
    if (node.matches(excluded)) return NodeFilter.FILTER_REJECT;
    if (node.localName !== 'code') return NodeFilter.FILTER_SKIP;
    places.push(node);
    return NodeFilter.FILTER_REJECT;
  });
  for (let node = walker.nextNode(); node; node = walker.nextNode()) if (node instanceof Text) places.push(node);
  return places;
}

/** Makes a part of a text a link. What is before it stays in the node. */
function linkPart(text: Text, mention: PathMention, file: string): void {
  if (!text.parentNode) return;
  const part = text.splitText(mention.start);
  part.splitText(mention.end - mention.start);
  const link = createLink(mention, file);
  part.replaceWith(link);
  link.append(part);
}

function createLink({ line, column, endLine }: PathMention, file: string): HTMLElement {
  const link = document.createElement('a');
  link.className = 'ref';
  link.setAttribute('role', 'link');
  link.tabIndex = 0;
  link.dataset['path'] = file;
  if (line !== undefined) link.dataset['line'] = String(line);
  if (column !== undefined) link.dataset['column'] = String(column);
  if (endLine !== undefined) link.dataset['endLine'] = String(endLine);
  const lines = line === undefined ? '' : `:${line}${endLine === undefined ? '' : `–${endLine}`}`;
  link.title = `${file}${lines}`;
  return link;
}

function nameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}
