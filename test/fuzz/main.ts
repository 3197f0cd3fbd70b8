import { parseArgs } from 'node:util';
import { fuzzAll } from './fuzz';
import { prepare } from './targets';

const { values } = parseArgs({
  options: { inputs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const inputs = Number(values.inputs ?? 50_000);
console.log(`Seed ${seed}, ${inputs} inputs`);
void prepare().then(() =>
  fuzzAll(
    { seed, inputs, ...(values.only === undefined ? {} : { only: values.only }) },
    ({ name, inputs: count, ms, slowestMs }) => {
      console.log(`${name}: ${count} inputs, ${(ms / 1000).toFixed(1)} s, slowest ${slowestMs.toFixed(0)} ms`);
    },
  ),
);
