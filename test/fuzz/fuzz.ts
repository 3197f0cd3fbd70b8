import { inspect } from 'node:util';
import { below, pick, seeded } from './random';
import { targets, type Target } from './targets';

export interface FuzzOptions {
  readonly seed: number;
  /** For all targets together. */
  readonly inputs: number;
  /** Only targets whose name holds it. */
  readonly only?: string;
}

/** What a target took: processor time, and that of its slowest input, in ms. */
export interface FuzzFigures {
  readonly name: string;
  readonly inputs: number;
  readonly ms: number;
  readonly slowestMs: number;
}

/** Processor time that an input of a few hundred characters may take, in ms; the first ones compile the code. */
const patienceMs = 1500;
/** Every so many inputs a repetition is timed as well. */
const timedEvery = 400;
const timedLength = 30_000;

/** Feeds a target; throws with the seed and the input that shows what is wrong. */
export function fuzz(target: Target, { seed, inputs }: FuzzOptions): FuzzFigures {
  const started = processorMs();
  let slowestMs = 0;
  for (let index = 0; index < inputs; index += 1) {
    const random = seeded(seed * 7919 + index);
    const input = target.make(random);
    const before = processorMs();
    try {
      target.check(input as never);
    } catch (error) {
      throw new Error(`${target.name}, seed ${seed}, input ${index}: ${shown(input)}`, { cause: error });
    }
    const ms = processorMs() - before;
    slowestMs = Math.max(slowestMs, ms);
    if (ms > patienceMs) throw new Error(`${target.name}, seed ${seed}, input ${index} took ${ms} ms: ${shown(input)}`);
    if (target.pieces && index % timedEvery === 0)
      checkGrowth(target, target.pieces, random, `seed ${seed}, input ${index}`);
  }
  return { name: target.name, inputs, ms: processorMs() - started, slowestMs };
}

/** A few pieces, repeated: twice as much of them may take twice the time, not four times. */
function checkGrowth(target: Target, pieces: readonly string[], random: () => number, where: string): void {
  const unit = Array.from({ length: 1 + below(random, 3) }, () => pick(random, pieces)).join('');
  const start = random() < 0.5 ? '' : pick(random, pieces);
  const time = (length: number) => {
    const text = start + unit.repeat(Math.ceil(length / unit.length));
    const before = processorMs();
    target.check(text as never);
    return processorMs() - before;
  };
  const isBad = () => {
    const [one, four] = [time(timedLength), time(4 * timedLength)];
    return four > 400 && four > 10 * one;
  };
  // The machine may have been busy: what is square is so each time.
  if (isBad() && isBad() && isBad()) {
    throw new Error(
      `${target.name}, ${where}: time grows faster than ${shown(start)} and then ${shown(unit)} repeated`,
    );
  }
}

/** Feeds all targets, each its share. */
export function fuzzAll({ seed, inputs, only = '' }: FuzzOptions, tell: (figures: FuzzFigures) => void): void {
  const chosen = targets.filter(({ name }) => name.includes(only));
  for (const target of chosen) tell(fuzz(target, { seed, inputs: Math.ceil(inputs / chosen.length) }));
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function shown(input: unknown): string {
  return inspect(input, { depth: 8, maxStringLength: 2000 }).slice(0, 4000);
}
