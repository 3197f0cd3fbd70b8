// Agents that misbehave, one way each. Whatever they do: the user reads what happened and what to do, the session goes on, nothing that
// was typed or written is lost, and no process is left.
import assert from 'node:assert/strict';
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, describe, it } from 'node:test';
import type { Session } from '../../src/session/session';
import { all, asks, isClosed, isReady, lives, pidsOf, PoolHarness, text, until } from '../unit-support/poolHarness';
import { endProcessesWith, runMark } from '../workbench/processes.mjs';

const program = resolve('test/fixtures/agents/chaos.mjs');
const folder = mkdtempSync(join(tmpdir(), 'parley-chaos-'));
after(() => rmSync(folder, { recursive: true }));

/** Those after which the agent is gone, or the session doesn't open: a card says so, and the agent is started again. */
const fatal: Readonly<Record<string, RegExp>> = {
  exits: /exit code 1/,
  exitsClean: /without an error/,
  exitsProgramMissing: /A program that it needs may be missing/,
  isKilled: /SIGKILL/,
  saysWhyAndExits: /no API key/,
  printsHalfALine: /exit code 1/,
  closesItsOutput: /closed the connection/,
  diesAtInitialize: /exit code 1/,
  answersNull: /no protocol version/,
  answersText: /no protocol version/,
  answersList: /no protocol version/,
  speaksVersion99: /version 99/,
  speaksNoVersion: /no protocol version/,
  refusesTheConnection: /bad config/,
  refusesWithoutAWord: /refused the connection/,
  needsALoginFirst: /Log in/,
  diesAtNew: /exit code 1/,
  isKilledAtNew: /SIGKILL/,
  refusesNew: /No model/,
  opensNull: /couldn’t open a session/,
  opensWithoutAnId: /couldn’t open a session/,
  opensWithANumber: /couldn’t open a session/,
  diesAtPrompt: /exit code 1/,
  diesInMidSentence: /exit code 1/,
  diesCleanly: /without an error/,
  isKilledInATurn: /lack of memory/,
  crashesInATurn: /SIGABRT/,
  runsOutOfMemory: /lack of memory/,
  diesWhileWriting: /exit code 1/,
  diesWithAQuestionOpen: /exit code 1/,
  diesWithAToolRunning: /exit code 1/,
  diesAndLeavesAChild: /exit code 1/,
  closesItsOutputInATurn: /closed the connection/,
  sendsALineWithoutEnd: /larger than 32 MB/,
};

/** Those that fail a turn and nothing else: a card says so, and the message can be sent again. */
const failing: Readonly<Record<string, RegExp>> = {
  failsWithAWord: /Model overloaded/,
  failsWithoutAWord: /couldn’t answer/,
  failsWithText: /couldn’t answer/,
};

/** Those that the user need not hear of: the answer arrives all the same. */
const harmless = [
  'printsABanner',
  'startsWithAMark',
  'floodsStderr',
  'answersWhatNobodyAsked',
  'printsJson',
  'printsNoUtf8',
  'asksBeforeItIsAsked',
  'claimsNonsense',
  'opensWithNonsense',
  'talksBeforeItOpens',
  'sendsNumbers',
  'sendsNulls',
  'sendsTexts',
  'sendsLists',
  'sendsObjects',
  'sendsAnUnknownUpdate',
  'talksForAnotherSession',
  'updatesAnUnknownTool',
  'usesAnIdTwice',
  'sendsParamsAsAList',
  'sendsNoParams',
  'asksForTheUnknown',
  'asksWithoutParams',
  'asksForAnotherSession',
  'readsARelativePath',
  'watchesAnUnknownTerminal',
  'startsATerminalOfNothing',
  'usesARequestIdTwice',
  'asksPermissionForAnotherSession',
  'asksAFormOfNonsense',
  'floods',
  'sendsAMegabyteAtOnce',
  'nestsDeeply',
  'sendsALoneSurrogate',
  'splitsALine',
  'sendsABatch',
  'poisonsThePrototype',
  'startsADeafChild',
  'ignoresSigterm',
  'asksPermissionWithNonsense',
];

/** Those that end a turn with a question open: it stands until the user answers it, or stops the turn. */
const asking = ['asksPermissionAndForgets', 'asksPermissionWithoutOptions'];

/** Those that end a turn in an odd way: it ends, and the next one is as ever. */
const odd = ['endsWithNull', 'endsForNoReason', 'endsForAnOddReason', 'endsForANumber', 'refuses'];

const words = 'what the user typed';
const isIdle = (session: Session) => isReady(session) && session.transcript.view.activity.state === 'idle';
const hasEnded = (session: Session) => isIdle(session) && session.transcript.order.length > 1;
const count = (session: Session, part: string) => text(session).split(part).length - 1;
/** Names as sentences: `diesAtPrompt` is "dies at prompt". */
const spoken = (misdeed: string) => misdeed.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Runs a session with an agent of this misdeed, and looks afterwards what is left. */
async function withAgent(misdeed: string, act: (session: Session) => Promise<void>): Promise<void> {
  const mark = `chaos-${misdeed}-${String(process.pid)}`;
  const harness = new PoolHarness({ env: { [runMark]: mark } });
  const base = harness.spec({});
  const session = harness.start({ ...base, args: [program, misdeed, join(folder, misdeed)] });
  try {
    session.sendPrompt(words);
    await act(session);
    assert.ok(text(session).includes(words), 'what the user typed is gone');
  } finally {
    await harness.pool.stopAll();
    const left = await endProcessesWith(runMark, mark, 2000);
    assert.deepEqual([left, pidsOf(harness).filter(lives)], [[], []], 'a process is left');
  }
}

/** The session does what the user wants again. */
async function goesOn(session: Session): Promise<void> {
  const before = count(session, 'the honest answer');
  session.sendPrompt('and now?');
  await until(session, (one) => isIdle(one) && count(one, 'the honest answer') > before);
}

/** The last card has a sentence, and something to press. */
function saysWhatToDo(session: Session, cause: RegExp): void {
  const card = all(session, 'error').at(-1);
  assert.ok(card, text(session));
  assert.match([card.title, card.cause, card.logTail].join('\n'), cause);
  assert.match(card.title, /\w.*[.?]|:/);
  assert.notDeepEqual(card.actions, []);
}

void describe('an agent', { concurrency: 2 }, () => {
  for (const [misdeed, cause] of Object.entries(fatal)) {
    void it(`that ${spoken(misdeed)} is reported and restarted`, () =>
      withAgent(misdeed, async (session) => {
        await until(session, (one) => isClosed(one) && all(one, 'error').length > 0);
        saysWhatToDo(session, cause);
        session.restart();
        await until(session, isReady);
        await goesOn(session);
      }));
  }

  for (const [misdeed, cause] of Object.entries(failing)) {
    void it(`that ${spoken(misdeed)} is reported and gets the message again`, () =>
      withAgent(misdeed, async (session) => {
        await until(session, (one) => isIdle(one) && all(one, 'error').length > 0);
        saysWhatToDo(session, cause);
        await goesOn(session);
      }));
  }

  for (const misdeed of harmless) {
    void it(`that ${spoken(misdeed)} is understood anyway`, () =>
      withAgent(misdeed, async (session) => {
        await until(session, (one) => count(one, 'the honest answer') > 0 && isIdle(one));
        assert.deepEqual(all(session, 'error'), []);
        await goesOn(session);
      }));
  }

  for (const misdeed of asking) {
    void it(`that ${spoken(misdeed)} lets the user stop and continue`, () =>
      withAgent(misdeed, async (session) => {
        await until(session, (one) => asks(one) && count(one, 'the honest answer') > 0);
        session.cancel();
        await until(session, isIdle);
        await goesOn(session);
      }));
  }

  for (const misdeed of odd) {
    void it(`that ${spoken(misdeed)} has ended its turn`, () =>
      withAgent(misdeed, async (session) => {
        await until(session, hasEnded);
        await goesOn(session);
      }));
  }
});
