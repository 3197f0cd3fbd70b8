/** What sandboxes are made with, loaded together when the first agent needs one. */
export { encloseProgram } from './encloseProgram';
export { clearLeftovers } from './temporary/leftovers';
export { missingNeed } from './sandboxNeeds';
export { windowsHelper } from './windows/helper';
