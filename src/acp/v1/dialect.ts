import type { Dialect } from '../dialect/dialect';
import { createChannel } from './channel';
import { decodeInitialize, initializeParams } from './initialize';
import { loginsBy } from '../dialect/login';
import { agentMethods } from '../wire/methods';
import { normalizeUpdate, updatesToShow } from './normalizeUpdate';
import { openSession } from './openSession';
import { serveEditor } from './serveEditor';
import { V1Reader } from './updates';

/** Version 1 of the protocol. */
export const v1: Dialect = {
  version: 1,
  initializeParams,
  decodeInitialize,
  serveEditor,
  ...loginsBy(agentMethods.authenticate, agentMethods.logout),
  openSession,
  normalizeUpdate,
  updatesToShow,
  createReader: (turns, ids) => new V1Reader(turns, ids),
  createChannel,
};
