import type { Dialect } from '../dialect/dialect';
import { isHistory } from '../dialect/history';
import { createChannel } from './channel';
import { decodeInitialize, initializeParams } from './initialize';
import { loginsBy } from '../dialect/login';
import { methods } from './methods';
import { openSession } from './openSession';
import { V2Reader } from './updates';

/** Version 2 of the protocol, a draft. */
export const v2: Dialect = {
  version: 2,
  initializeParams,
  decodeInitialize,
  // Agents read and write files and run commands themselves.
  serveEditor: () => undefined,
  ...loginsBy(methods.logIn, methods.logOut),
  openSession,
  normalizeUpdate: (update) => update,
  updatesToShow: (updates, method) =>
    // A session is replayed only on request. What a resumed one reports is what happens in it now.
    method === 'kept' || method === 'fork' ? updates.filter((update) => !isHistory(update)) : updates,
  createReader: (turns, ids) => new V2Reader(turns, ids),
  createChannel,
};
