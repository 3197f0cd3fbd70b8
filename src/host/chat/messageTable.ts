import type { Attention } from '../attention/attention';
import type { Checkpoints } from '../checkpoints/checkpoints';
import type { ContextMessages } from '../context/contextMessages';
import { codeMessages } from '../codeBlocks/codeMessages';
import { joinHandlers, type Handlers } from '../pages/handlers';
import type { IntentType } from '../pages/intent';
import type { Review } from '../review/review';
import { reviewMessages } from '../review/reviewMessages';
import type { Settings } from '../settings/settings';
import { ruleMessages, type RuleMessageServices } from '../rulesPage/ruleMessages';
import type { Protection } from '../review/protection';
import { protectionMessages } from '../review/protectionMessages';
import { problemMessages } from '../turnProblems/problemMessages';
import type { TurnProblems } from '../turnProblems/turnProblems';
import type { ChatPage } from '../pages/chatPage';
import type { HostTerminals } from '../terminals/terminalService';
import { transcriptMessages } from '../transcript/transcriptMessages';
import { editorMessages } from './editorMessages';
import type { FoundPaths } from './foundPaths';
import { sessionMessages, type SessionMessageServices } from './sessionMessages';
import { terminalMessages } from './terminalMessages';

/** The services that message handlers use. */
export interface MessageServices extends SessionMessageServices {
  readonly terminals: HostTerminals;
  readonly paths: Pick<FoundPaths, 'find'>;
  readonly settings: Pick<Settings, 'setToolDetail'>;
  readonly review: Pick<Review, 'log' | 'disk' | 'applying'>;
  readonly problems: Pick<TurnProblems<ChatPage>, 'send'>;
  readonly protection: Pick<Protection<ChatPage>, 'dismiss'>;
  readonly context: Pick<ContextMessages, 'handlers'>;
  readonly checkpoints: Pick<Checkpoints, 'handlers'>;
  readonly attention: Pick<Attention, 'handlers'>;
  readonly rules: RuleMessageServices;
}

/**
 * The handler for each chat page message. Each feature adds its own. A message with no handler, or with two, is a type
 * error.
 */
export function messageTable(services: MessageServices): Handlers<IntentType> {
  const { terminals, paths, settings, review, problems, protection, context, checkpoints, attention, rules, log } =
    services;
  return joinHandlers(
    sessionMessages(services),
    editorMessages(log, paths, settings),
    transcriptMessages(log),
    terminalMessages(terminals),
    reviewMessages(review, log),
    problemMessages(problems, log),
    protectionMessages(protection, log),
    codeMessages(review, log),
    context.handlers,
    checkpoints.handlers,
    attention.handlers,
    ruleMessages(rules),
  );
}
