import { loadPart, once } from './loadPart';
import type * as parts from './onDemand';

/** The parts of Parley that most windows use late or never; each is handed what it works on. */
export type OnDemand = typeof parts;

/** Loads them with their first use. The name is that of the built file: it stays outside of the extension's bundle. */
export const loadOnDemand: () => Promise<OnDemand> = /* @__PURE__ */ once(() =>
  loadPart(() => import('./onDemand.js')),
);
