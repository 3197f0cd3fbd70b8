import * as l10n from '@vscode/l10n';
import { readableError } from '../../acp/base/errors';
import { attempt } from '../../shared/attempt';
import { compact } from '../../shared/decodeValue';
import type { ErrorEntry, SessionView } from '../../shared/transcript';
import { promptFailed, type Failure } from '../failures';
import { readLimit } from './readLimit';

/** A failure that a limit caused. The page says when it resets, in the user's time. */
type LimitFailure = Failure & Pick<ErrorEntry, 'limit'>;

/**
 * Returns why a turn failed: a limit of the agent's provider, if the error's text or the agent's last report of a limit
 * says so.
 */
export function turnFailure(
  view: Pick<SessionView, 'agentName' | 'limits'>,
  error: unknown,
  now: number,
): LimitFailure {
  const { agentName: agent, limits = [] } = view;
  const { message, detail = '' } = readableError(error);
  const read = readLimit(`${message}\n${detail}`, now);
  const reached = limits.find(({ state, resetsAt }) => state === 'reached' && (resetsAt ?? Infinity) > now);
  if (!read) {
    // Nothing here is about a limit. The agent's own words say why.
    const { code, title, actions } = promptFailed(agent, error);
    return { code, title, ...cause(message, detail), actions };
  }
  const { kind } = read;
  if (kind === 'overloaded') {
    return {
      code: 'overloaded',
      title: l10n.t('{0}’s model provider is overloaded.', agent),
      ...cause(message, detail),
      limit: { type: '', ...compact({ resetsAt: read.resetsAt }) },
      actions: ['sendAgain', 'sendLater', 'continueWith', 'showLog'],
    };
  }
  const resetsAt = (kind === 'limit' || reached ? reached?.resetsAt : undefined) ?? read.resetsAt;
  return {
    code: 'usageLimit',
    title:
      kind === 'limit' || reached
        ? l10n.t('You’ve reached {0}’s usage limit.', agent)
        : l10n.t('{0}’s model provider limits your requests.', agent),
    ...cause(message, detail),
    limit: { type: reached?.type ?? '', ...compact({ resetsAt }) },
    actions:
      resetsAt === undefined
        ? ['sendAgain', 'continueWith', 'showLog']
        : ['sendLater', 'sendAgain', 'continueWith', 'showLog'],
  };
}

/** Returns the agent's words, without what only programs read. All of it is in the protocol log. */
function cause(message: string, detail: string): { readonly cause?: string } {
  const lines = `${message}\n${detail}`.split('\n').flatMap((line) => {
    // Claude ends its words with the time in seconds.
    const words = withoutJson(line.replace(/\|\d{10}\s*$/, '')).trim();
    return words === '' ? [] : [words];
  });
  return lines.length === 0 ? {} : { cause: [...new Set(lines)].join('\n') };
}

/** Returns a line without JSON at its end. */
function withoutJson(line: string): string {
  for (let at = line.search(/[{[]/); at >= 0; at = next(line, at + 1)) {
    const value = attempt(() => JSON.parse(line.slice(at).trim()) as unknown);
    if (typeof value === 'object' && value !== null) return line.slice(0, at).replace(/[\s:,(]+$/, '');
  }
  return line;
}

function next(line: string, from: number): number {
  const at = line.slice(from).search(/[{[]/);
  return at < 0 ? -1 : from + at;
}
