import type { Act, ActionName } from '../../src/host/base/actions';

/** Plays the other features: keeps what they are asked to do, and does nothing. */
export function askedActions() {
  const asked: (readonly unknown[])[] = [];
  const act: Act<ActionName> = (name, ...args) => {
    asked.push([name, ...args]);
    return Promise.resolve();
  };
  return { act, asked };
}
