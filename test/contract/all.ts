import type { Contract } from './contract';
import { eventContract } from './events';
import { positionContract } from './positions';
import { uriContract } from './uri';
import { valueContract } from './values';

/** Declares the whole contract of the editor's interface. */
export const editorContract: Contract = (declare, ground) => {
  for (const contract of [uriContract, positionContract, eventContract, valueContract]) contract(declare, ground);
};
