import { Case } from './case';
import { lastCall } from './page';
import { rows } from './rows';

/** The body of a case; it fails by throwing. */
export type CaseBody = (scene: Case) => Promise<void>;

/** Where cases are played: on the desk (test/desk), or in a window of VS Code, which plays all of them if a run asks for it. */
export type Stage = 'desk' | 'window';

/** A case, and the stages on which it is played. */
export interface DeclaredCase {
  readonly name: string;
  readonly stages: readonly Stage[];
  readonly play: () => Promise<void>;
  readonly timeoutMs: number;
}

const registered = new Map<string, string>();
const openIds = new Set(rows.flatMap(({ id, state }) => (state !== 'case' && 'open' in state ? [id] : [])));
const declared: DeclaredCase[] = [];
let declare: (one: DeclaredCase) => void = () => undefined;

/** Rows that have a case here, by id, with the name of their test. */
export const cases: ReadonlyMap<string, string> = registered;

/** Calls a function for each case, those that are still to be declared, too. */
export function eachCase(declares: (one: DeclaredCase) => void): void {
  declare = declares;
  declared.forEach(declares);
}

/**
 * Declares the case of one row of the checklist. Besides what `body` checks, it fails when a message of Parley's does not fit the
 * published schema, and when an agent's process outlives its sessions. It is played on the desk.
 */
export function row(id: string, title: string, body: CaseBody, timeoutMs?: number): void {
  register(id, title, ['desk', 'window'], body, timeoutMs);
}

/** Declares a case that needs what only VS Code itself does, and is played in a window. */
export function rowInWindow(id: string, title: string, body: CaseBody, timeoutMs?: number): void {
  register(id, title, ['window'], body, timeoutMs);
}

function register(id: string, title: string, stages: readonly Stage[], body: CaseBody, timeoutMs = 60_000): void {
  if (registered.has(id)) throw new Error(`The row ${id} has two cases.`);
  const name = `${id} ${title}`;
  registered.set(id, name);
  const play = () => playCase(body, timeoutMs);
  const one = { name, stages, timeoutMs: 2 * timeoutMs, play: openIds.has(id) ? () => failsStill(play) : play };
  declared.push(one);
  declare(one);
}

async function playCase(body: CaseBody, timeoutMs: number): Promise<void> {
  const scene = new Case();
  try {
    await inTime(body(scene), timeoutMs, scene);
    scene.check();
  } catch (error) {
    // What a case leaves behind is only a consequence then.
    await scene.end().catch(() => undefined);
    throw error;
  }
  await scene.end();
}

/** The case of a row that Parley does not serve yet is expected to fail. */
async function failsStill(play: () => Promise<void>): Promise<void> {
  const hasPassed = await play().then(
    () => true,
    () => false,
  );
  if (hasPassed) throw new Error('Its case passes: the row is not open any more.');
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
