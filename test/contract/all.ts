import type { Contract } from './contract';
import { documentContract } from './documents';
import { eventContract } from './events';
import { inputContract } from './inputs';
import { positionContract } from './positions';
import { settingContract } from './settings';
import { uriContract } from './uri';
import { valueContract } from './values';

/** Declares the whole contract of the editor's interface. */
export const editorContract: Contract = (declare, ground) => {
  const parts = [
    uriContract,
    positionContract,
    eventContract,
    valueContract,
    documentContract,
    settingContract,
    inputContract,
  ];
  for (const contract of parts) contract(declare, ground);
};
