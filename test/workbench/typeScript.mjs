// @ts-check
import { inRoot } from '../root.mjs';

/**
 * Settings that give the editor's own TypeScript support the compiler of this repository, because the server build has none. They must be
 * there before the first file is opened: without a compiler, the support fails for good.
 */
export const typeScriptSettings = {
  'typescript.tsdk': inRoot('node_modules', 'typescript', 'lib'),
  // It would ask npm for types.
  'typescript.disableAutomaticTypeAcquisition': true,
};
