import { test } from '../integration/api';
import { Case } from './case';
import { lastCall } from './page';

/** The body of a case; it fails by throwing. */
export type CaseBody = (scene: Case) => Promise<void>;

const registered = new Map<string, string>();

/** Rows that have a case here, by id, with the name of their test. */
export const cases: ReadonlyMap<string, string> = registered;

/**
 * Declares the case of one row of the checklist. Besides what `body` checks, it fails when a message of Parley's does not fit the
 * published schema, and when an agent's process outlives its sessions.
 */
export function row(id: string, title: string, body: CaseBody, timeoutMs = 30_000): void {
  if (registered.has(id)) throw new Error(`The row ${id} has two cases.`);
  const name = `${id} ${title}`;
  registered.set(id, name);
  test(
    name,
    async (context) => {
      const scene = new Case();
      context.after(() => scene.end());
      await inTime(body(scene), timeoutMs, scene);
      scene.check();
    },
    2 * timeoutMs,
  );
}

/** Says, when a case hangs, what its agents have heard. */
async function inTime(work: Promise<void>, timeoutMs: number, scene: Case): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const heard = scene.agents.map(({ heard: messages }) => JSON.stringify(messages).slice(-3000));
      const words = `Last in the window: ${lastCall()}. Its agents heard: ${heard.join('\n') || 'nothing'}`;
      reject(new Error(`It took longer than ${timeoutMs} ms. ${words}`));
    }, timeoutMs);
  });
  await Promise.race([work, expired]).finally(() => clearTimeout(timer));
}
