/** All that is needed to speak with an agent. Loaded with the first agent (docs/adr/0052). */
export { offeredDialect, requestedDialect } from '../../acp/dialects';
export { AcpConnection } from '../../acp/wire/connection';
export { ndjson } from '../../acp/wire/ndjson';
export { OfferRefused } from '../handshake/handshake';
export { handshakeWithTimeout } from '../handshake/handshakeTime';
export { serveClient } from '../routes/clientHandlers';
export { editorSessions } from '../routes/editorSessions';
export { serveVendor } from '../vendor/serveVendor';
