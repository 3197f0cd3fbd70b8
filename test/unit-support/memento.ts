import type { Memento } from 'vscode';

/** A memento in memory. Values are copied, as VS Code stores them as text. */
export function mementoOf(values = new Map<string, string>()): Memento {
  return {
    keys: () => [...values.keys()],
    get: (key: string, byDefault?: unknown) => {
      const text = values.get(key);
      return text === undefined ? byDefault : (JSON.parse(text) as unknown);
    },
    update: (key: string, value: unknown) => {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.stringify(value));
      return Promise.resolve();
    },
  } as Memento;
}
