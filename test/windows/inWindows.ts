import { prefixVariable, preparedVariable } from './wine.mjs';

// The tests of this process run in the Windows of the run. It's evaluated before them.
process.env[prefixVariable] = process.env[preparedVariable];
