import * as l10n from '@vscode/l10n';
import type { SessionKey } from '../../shared/values/ids';
import { hasHiddenText, showHiddenOnOneLine } from '../../shared/text/visibleText';

/** The part of Parley’s links before the path. */
const authority = 'parley.parley-acp';
/** Maximum number of characters of a link’s text, and of its other values. */
const maxPrompt = 8000;
const maxValue = 500;
/** So many line breaks or spaces in a row move what follows out of sight. */
const farAway = /(?:\r?\n[ \t]*){10}|[ \t]{100}/;
const newNames = ['prompt', 'agent', 'folder'] as const;

/** A link as far as it can be followed. What it names may not exist. */
export type ParleyLink =
  | { readonly kind: 'new'; readonly prompt: string; readonly agent?: string; readonly folder?: string }
  | { readonly kind: 'session'; readonly key: SessionKey; readonly turn?: number };

/** A link, or a sentence that says why it isn't followed. */
export type ReadLink = ParleyLink | { readonly kind: 'refused'; readonly why: string };

/** Reads a link’s path and query, both decoded, as the editor passes them on. They come from anyone. */
export function readLink(path: string, query: string): ReadLink {
  if (path === '/new') return readNew(query);
  const [, key] = /^\/session\/([\w:-]{1,100})$/.exec(path) ?? [];
  if (key === undefined) return refused(l10n.t('This link leads nowhere in Parley: {0}', shown(path)));
  const [, turn] = /^turn=(\d{1,9})$/.exec(query) ?? [];
  if (query !== '' && turn === undefined) return refused(l10n.t('This link has a part that Parley doesn’t support.'));
  return { kind: 'session', key: key as SessionKey, ...(turn !== undefined && { turn: Number(turn) }) };
}

/** Returns the link to a session, or to one of its turns. `scheme` is the editor’s own. */
export function sessionLink(scheme: string, key: SessionKey, turn?: number): string {
  const query = turn === undefined ? '' : `?turn=${String(turn)}`;
  return `${scheme}://${authority}/session/${encodeURIComponent(key)}${query}`;
}

function readNew(query: string): ReadLink {
  const values = new Map<string, string>();
  // The editor has decoded the query already, so an & may belong to a text. Only one before a known name divides.
  for (const part of query === '' ? [] : query.split(/&(?=(?:prompt|agent|folder)=)/)) {
    const at = part.indexOf('=');
    const name = part.slice(0, at);
    if (at < 0 || !newNames.some((one) => one === name)) {
      return refused(l10n.t('This link has a part that Parley doesn’t support.'));
    }
    if (values.has(name)) return refused(l10n.t('This link has “{0}” more than once.', name));
    values.set(name, part.slice(at + 1));
  }
  const prompt = (values.get('prompt') ?? '').replaceAll('\r\n', '\n').trim();
  const [agent, folder] = [values.get('agent'), values.get('folder')];
  if (prompt.length > maxPrompt) {
    return refused(
      l10n.t('The text of this link is too long: {0} characters of at most {1}.', prompt.length, maxPrompt),
    );
  }
  if ([agent, folder].some((value = '') => value.length > maxValue)) {
    return refused(l10n.t('This link’s agent or folder is too long.'));
  }
  if ([prompt, agent, folder].some((value = '') => hasHiddenText(value)) || farAway.test(prompt)) {
    return refused(l10n.t('This link has hidden text, so it isn’t opened.'));
  }
  return { kind: 'new', prompt, ...(agent !== undefined && { agent }), ...(folder !== undefined && { folder }) };
}

function refused(why: string): ReadLink {
  return { kind: 'refused', why };
}

function shown(text: string): string {
  const plain = showHiddenOnOneLine(text);
  return plain.length > 100 ? `${plain.slice(0, 100)}…` : plain;
}
