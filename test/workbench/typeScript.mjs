// @ts-check
import { inRoot } from '../root.mjs';

/**
 * Settings that let the editor's TypeScript support use this repository's compiler, because the server build has none. Set them before
 * the first file is opened, because without a compiler the support fails permanently.
 */
export const typeScriptSettings = {
  'typescript.tsdk': inRoot('node_modules', 'typescript', 'lib'),
  // It would download types from npm.
  'typescript.disableAutomaticTypeAcquisition': true,
};
