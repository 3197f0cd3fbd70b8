import * as l10n from '@vscode/l10n';
import { readableError } from '../../acp/base/errors';
import { compact } from '../../shared/values/decodeValue';
import type { ErrorEntry, SessionView } from '../../shared/transcript/transcript';
import { errorWords } from '../../acp/base/errorWords';
import { promptFailed, type Failure } from '../failures';
import { limitCode } from './limitCode';
import { readLimit } from './readLimit';

/** A failure that a limit caused. The page says when it resets, in the user's time. */
type LimitFailure = Failure & Pick<ErrorEntry, 'limit'>;

/** Whether a line of an agent says more than a number, or that something is wrong, which the title of a limit says in words. */
function saysMore(line: string): boolean {
  const rest = line.replace(/\b(?:api|http(?:\/[\d.]+)?|internal|status|code|error|\d{3}|no|body)\b/gi, '');
  return /[\p{L}\p{N}]/u.test(rest);
}

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
  const read = readLimit(`${message}\n${detail}`, now, limitCode(error));
  const reached = limits.find(({ state, resetsAt }) => state === 'reached' && (resetsAt ?? Infinity) > now);
  if (!read) {
    return promptFailed(agent, error);
  }
  const { kind } = read;
  const words = errorWords(error).split('\n').filter(saysMore).join('\n');
  const cause = words === '' ? {} : { cause: words };
  if (kind === 'overloaded') {
    return {
      code: 'overloaded',
      title: l10n.t('{0}’s model provider is overloaded.', agent),
      ...cause,
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
    ...cause,
    limit: { type: reached?.type ?? '', ...compact({ resetsAt }) },
    actions:
      resetsAt === undefined
        ? ['sendAgain', 'continueWith', 'showLog']
        : ['sendLater', 'sendAgain', 'continueWith', 'showLog'],
  };
}
