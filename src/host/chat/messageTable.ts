import type { Checkpoints } from '../checkpoints/checkpoints';
import type { ContextMessages } from '../context/contextMessages';
import { joinHandlers, type Handlers } from '../pages/handlers';
import type { IntentType } from '../pages/intent';
import type { Review } from '../review/review';
import { reviewMessages } from '../review/reviewMessages';
import type { HostTerminals } from '../terminals/terminalService';
import { editorMessages } from './editorMessages';
import { sessionMessages, type SessionMessageServices } from './sessionMessages';
import { terminalMessages } from './terminalMessages';

/** What the handlers of messages work on. */
export interface MessageServices extends SessionMessageServices {
  readonly terminals: HostTerminals;
  readonly review: Pick<Review, 'log' | 'disk'>;
  readonly context: Pick<ContextMessages, 'handlers'>;
  readonly checkpoints: Pick<Checkpoints, 'handlers'>;
}

/**
 * What each message of a chat page does. Each feature brings its part; a message without a handler, or with two, doesn't pass the type
 * checker.
 */
export function messageTable(services: MessageServices): Handlers<IntentType> {
  const { terminals, review, context, checkpoints, log } = services;
  return joinHandlers(
    sessionMessages(services),
    editorMessages(log),
    terminalMessages(terminals),
    reviewMessages(review, log),
    context.handlers,
    checkpoints.handlers,
  );
}
