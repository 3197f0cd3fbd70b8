import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import type { SessionKey } from '../../shared/values/ids';
import { messageOf } from '../../shared/values/messageOf';
import { toStored, type StoredSession } from './storedSession';

/** Set PARLEY_SEEDS for more histories, and PARLEY_SEED for a single one. */
const seeds = Number(process.env['PARLEY_SEEDS'] ?? 400);
const onlySeed = process.env['PARLEY_SEED'];

/** One entry of an agent's history: a text, a thought, or a call by its title. */
interface Told {
  readonly kind: 'user_message' | 'agent_message' | 'agent_thought' | 'tool_call';
  readonly words: string;
  readonly id: string;
}

/** What one agent does with its history. */
interface Habits {
  /** Messages have ids that it repeats. */
  readonly namesMessages: boolean;
  /** Calls have the ids of before when they are replayed. */
  readonly keepsCalls: boolean;
  readonly replaysThoughts: boolean;
  /** Texts are replayed with other line breaks. */
  readonly rebreaks: boolean;
  /** Calls are numbered from 1 in each turn. */
  readonly recounts: boolean;
}

/** Few words, so that equal and similar texts occur often. */
const vocabulary = ['ok', 'ok then', 'I look', 'Done.', 'go', 'go on', 'Reading the file now.', 'It failed.', '日本'];
const titles = ['Run tests', 'Read a.ts', 'Edit a.ts'];

class Case {
  readonly next: (limit: number) => number;
  readonly habits: Habits;
  readonly history: readonly Told[];

  constructor(seed: number) {
    let state = seed * 2_654_435_761;
    this.next = (limit) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    const coins = { namesMessages: this.coin, keepsCalls: this.coin, replaysThoughts: this.coin, rebreaks: this.coin };
    this.habits = { ...coins, recounts: this.coin };
    this.history = Array.from({ length: 1 + this.next(4) }, (_, turn) => this.turn(turn)).flat();
  }

  private get coin(): boolean {
    return this.next(2) === 0;
  }

  private pick(list: readonly string[]): string {
    return list[this.next(list.length)] ?? '';
  }

  private turn(turn: number): readonly Told[] {
    const told: Told[] = [{ kind: 'user_message', words: this.pick(vocabulary), id: `u${turn}` }];
    for (let count = this.next(7); count > 0; count -= 1) {
      const kind = (['agent_message', 'agent_thought', 'tool_call'] as const)[this.next(3)] ?? 'tool_call';
      // Without ids, texts of one kind that follow each other are one text.
      if (kind === told.at(-1)?.kind && kind !== 'tool_call') continue;
      const words = kind === 'tool_call' ? this.pick(titles) : `${this.pick(vocabulary)} ${this.pick(vocabulary)}`;
      told.push({ kind, words, id: `${turn}.${told.length}` });
    }
    // Without ids, messages that follow each other are one message.
    const isAnswered =
      this.habits.namesMessages || told.some(({ kind }) => kind === 'agent_message' || kind === 'tool_call');
    return isAnswered
      ? told
      : [...told, { kind: 'agent_message', words: this.pick(vocabulary), id: `${turn}.${told.length}` }];
  }

  /** Returns the updates of the history, each text in one or more chunks. */
  updates(isReplay: boolean): readonly object[] {
    const { habits } = this;
    return this.history.flatMap(({ kind, words, id }): readonly object[] => {
      if (kind === 'tool_call') {
        const own = habits.recounts ? id.replace(/^\d+/, 'call') : id;
        const toolCallId = isReplay && !habits.keepsCalls ? `again ${own}` : own;
        return [{ sessionUpdate: 'tool_call', toolCallId, title: words, kind: 'other', status: 'completed' }];
      }
      if (kind === 'agent_thought' && isReplay && !habits.replaysThoughts) return [];
      if (kind === 'user_message' && !isReplay) return [{ prompt: words }];
      const text = isReplay && habits.rebreaks ? words.replaceAll(' ', '\n') : words;
      const name = habits.namesMessages ? { messageId: id } : {};
      return this.pieces(text).map((piece) => ({
        sessionUpdate: `${kind}_chunk`,
        content: { type: 'text', text: piece },
        ...name,
      }));
    });
  }

  private pieces(text: string): readonly string[] {
    const at = this.next(text.length);
    return at === 0 ? [text] : [text.slice(0, at), text.slice(at)];
  }
}

/** Returns the conversation as shown, without white space. */
function shown({ entries }: SessionHarness): readonly string[] {
  return entries.flatMap((entry) => {
    if (entry.kind === 'tool_call') return [`tool_call ${entry.title}`];
    if (entry.kind !== 'user_message' && entry.kind !== 'agent_message' && entry.kind !== 'agent_thought') return [];
    const words = entry.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
    return [`${entry.kind} ${words}`];
  });
}

const expected = (history: readonly Told[]) => history.map(({ kind, words }) => `${kind} ${words}`);

/** Joins texts that follow each other, because in which pieces they are shown doesn't matter. Nor does white space. */
function joined(list: readonly string[]): readonly string[] {
  const all: string[] = [];
  let last = '';
  for (const entry of list) {
    const [kind = '', ...words] = entry.split(/\s+/);
    const text = words.join('');
    if (kind === last && kind !== 'tool_call' && kind !== 'user_message') all.push(`${all.pop() ?? ''}${text}`);
    else all.push(`${kind} ${text}`);
    last = kind;
  }
  return all;
}

/** Plays the updates of a history until the window is killed, and restores the session in the next one. */
async function killed(
  one: Case,
  hasHoles: boolean,
): Promise<{ readonly after: SessionHarness; readonly count: number }> {
  const before = new SessionHarness().open();
  const live = one.updates(false);
  // At least the first message was sent.
  const count = 1 + one.next(live.length);
  for (const update of live.slice(0, count)) {
    if ('prompt' in update) {
      if (before.view.activity.state !== 'idle') await before.agent.end();
      before.session.sendPrompt(String(update.prompt));
    } else before.update(update);
  }
  if (count === live.length || one.next(3) === 0) await before.agent.end();
  const whole = structuredClone(toStored('s' as SessionKey, before.session.transcript));
  const stored = hasHoles ? withHoles(whole, one) : whole;
  return { after: new SessionHarness('Codex', stored), count };
}

/** Returns a record in which entries of the agent are missing, wherever they were. */
function withHoles(stored: StoredSession, one: Case): StoredSession {
  const entries = stored.snapshot.entries.filter(({ kind }) => kind === 'user_message' || one.next(3) > 0);
  return { ...stored, snapshot: { ...stored.snapshot, entries } };
}

/** Restores and replays histories that were cut off, and checks what is shown. */
async function check(hasHoles: boolean): Promise<void> {
  for (let seed = 1; seed <= seeds; seed += 1) {
    if (onlySeed !== undefined && seed !== Number(onlySeed)) continue;
    const one = new Case(seed);
    const { after } = await killed(one, hasHoles);
    // Thoughts that aren't replayed are shown as far as the record has them.
    const { replaysThoughts } = one.habits;
    const said = (list: readonly string[]) =>
      joined(replaysThoughts ? list : list.filter((entry) => !entry.startsWith('agent_thought')));
    const withMessage = one.next(2) === 0;
    try {
      if (withMessage) after.session.sendPrompt('meanwhile');
      after.introduce();
      const replay = one.updates(true);
      after.session.replay.compare(replay);
      after.open({}, false);
      if (withMessage) {
        after.say('answered');
        await after.agent.end();
      }
      const news = withMessage ? ['user_message meanwhile', 'agent_message answered'] : [];
      assert.deepEqual(said(shown(after)), said([...expected(one.history), ...news]));
      assert.equal(new Set(after.session.transcript.order).size, after.session.transcript.order.length);
      // A second replay adds nothing.
      const text = joined(shown(after));
      after.session.agentSide.disconnected(undefined);
      after.introduce();
      after.session.replay.compare([
        ...one.updates(true),
        ...(withMessage ? [chunk('user', 'meanwhile'), chunk('agent', 'answered')] : []),
      ]);
      assert.deepEqual(joined(shown(after)), text);
    } catch (error) {
      throw new Error(`PARLEY_SEED=${seed} ${JSON.stringify(one.habits)}: ${messageOf(error)}`, { cause: error });
    }
  }
}

test('shows an agent’s history once, wherever the record was cut off', () => check(false));

test('shows an agent’s history once, whatever the record is missing', () => check(true));

const chunk = (role: 'user' | 'agent', text: string) => ({
  sessionUpdate: `${role}_message_chunk`,
  content: { type: 'text', text },
});
