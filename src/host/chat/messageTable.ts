import type { Attention } from '../attention/attention';
import type { Checkpoints } from '../checkpoints/checkpoints';
import type { ContextMessages } from '../context/contextMessages';
import { joinHandlers, type Handlers } from '../pages/handlers';
import type { IntentType } from '../pages/intent';
import type { Review } from '../review/review';
import { reviewMessages } from '../review/reviewMessages';
import { ruleMessages, type RuleMessageServices } from '../rulesPage/ruleMessages';
import type { HostTerminals } from '../terminals/terminalService';
import { editorMessages } from './editorMessages';
import { sessionMessages, type SessionMessageServices } from './sessionMessages';
import { terminalMessages } from './terminalMessages';

/** The services that message handlers use. */
export interface MessageServices extends SessionMessageServices {
  readonly terminals: HostTerminals;
  readonly review: Pick<Review, 'log' | 'disk'>;
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
  const { terminals, review, context, checkpoints, attention, rules, log } = services;
  return joinHandlers(
    sessionMessages(services),
    editorMessages(log),
    terminalMessages(terminals),
    reviewMessages(review, log),
    context.handlers,
    checkpoints.handlers,
    attention.handlers,
    ruleMessages(rules),
  );
}
