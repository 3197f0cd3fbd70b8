import { before, test } from 'node:test';
import { fuzz } from './fuzz';
import { prepare, targets } from './targets';

// A fixed seed: a run that fails fails again. `npm run fuzz` takes another one each time.
const seed = 22;
const inputs = 50_000;

before(prepare);

for (const target of targets) {
  test(`${target.name} given random input: no error, hang, or unsafe result`, () => {
    fuzz(target, { seed, inputs: Math.ceil(inputs / targets.length) });
  });
}
