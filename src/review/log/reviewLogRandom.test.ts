import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { changeTraits, firstTraits, knownTraits, same, withTraits } from '../../../test/unit-support/traitSteps';
import type { SessionKey } from '../../shared/values/ids';
import type { FileState } from '../files/fileState';
import type { AgentAuthor, Hunk } from '../hunks/hunk';
import { ReviewLog, type ReviewLogJson } from './reviewLog';
import {
  fixed,
  linesOfState,
  random,
  randomLine,
  randomText,
  split,
  textOf,
  withHunks,
} from '../../../test/unit-support/testStates';
import type { TrackedFile } from './trackedFile';

function logFrom(json: ReviewLogJson): ReviewLog {
  const log = new ReviewLog();
  log.adopt(json);
  return log;
}

const seeds = 1000;
const stepsPerSeed = 14;

/** Runs one sequence of steps on a single file that moves between URIs, and checks the invariants after each step. */
class Run {
  private readonly next: (limit: number) => number;
  private readonly first: FileState;
  private log = new ReviewLog();
  private uri = 'file:///one';
  private present: FileState = { kind: 'absent' };
  private traits = {};
  /** Lines that the user typed where nothing was pending. */
  private typed = new Set<string>();
  private hasKept = false;
  private hasUserWritten = false;
  private turn = 1;
  private count = 0;
  readonly done: string[] = [];

  constructor(seed: number) {
    this.next = random(seed);
    this.first =
      this.next(6) === 0 ? { kind: 'absent' } : withTraits(randomText(this.next, this.next(14)), firstTraits);
    this.see(this.first);
    this.log.track(this.uri, this.first);
  }

  run(): void {
    for (let step = 0; step < stepsPerSeed; step++) {
      this.step();
      this.check();
    }
  }

  private get file(): TrackedFile {
    const file = this.log.file(this.uri);
    assert.ok(file !== undefined);
    return file;
  }

  private get agent(): AgentAuthor {
    return { kind: 'agent', agentName: 'Agent', session: 'session' as SessionKey, turn: this.turn };
  }

  private step(): void {
    const choice = this.next(22);
    if (choice < 6) this.editAsAgent();
    else if (choice < 10) this.type();
    else if (choice < 12) this.keep();
    else if (choice < 15) this.undo();
    else if (choice === 15) this.takeKeepBack();
    else if (choice === 16) this.writeFromOutside();
    else if (choice === 17) this.rename();
    else if (choice === 18) this.changeLineBreaks();
    else if (choice === 19) this.replaceFile();
    else this.changeTraits();
  }

  /** Returns the current text with one range replaced and its breaks corrected. */
  private spliced(make: () => string[], lines = linesOfState(this.present)): FileState {
    const start = this.next(lines.length + 1);
    const made = make();
    const result = [...lines.slice(0, start), ...made, ...lines.slice(start + this.next(4))];
    return { kind: 'text', text: result.map((line, i) => fixed(line, i === result.length - 1)).join('') };
  }

  private editAsAgent(): void {
    this.turn++;
    let state = this.spliced(() => Array.from({ length: this.next(4) }, () => randomLine(this.next)));
    if (this.next(3) === 0) {
      state = this.spliced(() => [randomLine(this.next)], linesOfState(state));
      // If several places changed, it's ambiguous which of several equal lines stayed.
      this.typed.clear();
    }
    this.done.push(`agent ${JSON.stringify(state)}`);
    this.log.agentEdit(this.uri, state, this.agent);
    this.see(state);
  }

  /** Types a new line or replaces one, and reports the range or the whole text. */
  private type(): void {
    if (this.present.kind !== 'text') return;
    this.hasUserWritten = true;
    const lines = split(this.present.text);
    const at = this.next(lines.length);
    const isLast = at === lines.length - 1;
    const typed = `user ${++this.count}`;
    const old = lines[at] ?? '';
    const end = /[\r\n]+$/.exec(old)?.[0] ?? '';
    const isNew = this.next(2) === 0 && !isLast;
    const newLines = isNew ? [`${typed}\n`, old] : [typed + end];
    const isOutside =
      this.file.base.kind === 'absent' || !this.file.hunks.some((hunk) => hunk.start <= at && at < hunk.end);
    const result = lines.toSpliced(at, 1, ...newLines).join('');
    this.done.push(`user ${at} ${JSON.stringify(newLines)}`);
    if (this.next(2) === 0) this.log.userChange(this.uri, [{ startLine: at, endLine: at + 1, newLines }]);
    else this.log.userEdit(this.uri, { kind: 'text', text: result });
    this.see({ kind: 'text', text: result });
    if (isOutside) this.typed.add(typed);
    const isAccepted = isOutside && this.file.base.kind !== 'absent';
    if (isAccepted) assert.ok(textOf(this.file.base).includes(typed), 'what the user typed outside is accepted');
  }

  private waitingLines(): number {
    const sizes = this.file.hunks.map(({ baseStart, baseEnd, start, end }) => baseEnd - baseStart + end - start);
    return sizes.reduce((sum, size) => sum + size, 0);
  }

  private someHunks(): Hunk[] {
    const all = this.next(4) === 0;
    return this.file.hunks.filter(() => all || this.next(2) === 0);
  }

  private keep(): void {
    const chosen = this.someHunks();
    if (chosen.length === 0) return;
    const { hunks, base } = this.file;
    const expected = withHunks(this.file, chosen);
    this.done.push(`keep ${chosen.map(({ id }) => id).join()}`);
    this.log.keep(
      this.uri,
      chosen.map(({ id }) => id),
    );
    same(linesOfState(this.file.base), expected, 'keep puts exactly these hunks into the base');
    if (this.next(2) === 0) {
      this.done.push('and back');
      this.log.undoLastKeep();
      same([this.file.hunks, this.file.base], [hunks, base], 'a keep is taken back entirely');
    } else {
      this.hasKept = true;
    }
  }

  private undo(): void {
    const chosen = this.someHunks();
    const before = this.file.snapshot.text;
    const plan = this.log.undo(
      this.uri,
      chosen.map(({ id }) => id),
    );
    if (plan === undefined) return;
    this.done.push(`undo ${chosen.map(({ id }) => id).join()}`);
    const [base, old] = [this.file.base, this.present];
    if (base.kind !== 'absent') {
      const left = before.hunks.filter((hunk) => !chosen.includes(hunk));
      same(linesOfState(plan.result), withHunks(this.file, left), 'undo leaves exactly the other hunks');
    }
    this.log.userEdit(this.uri, plan.result);
    assert.ok(!this.file.hunks.some(({ id }) => plan.hunks.includes(id)), 'what was undone is gone');
    if (base.kind !== 'absent') same(this.file.base, base, 'undo leaves the base alone');
    const isSame = isDeepStrictEqual(plan.result, old);
    if (!isSame && this.next(2) === 0) {
      this.done.push('and back');
      this.log.userEdit(this.uri, old);
      same(this.file.snapshot.text, before, "the editor's undo brings the hunks back");
      return;
    }
    this.present = plan.result;
    for (const line of this.typed) assert.ok(textOf(plan.result).includes(line), `${line} survives an undo`);
  }

  private takeKeepBack(): void {
    this.done.push('undo keep');
    this.log.undoLastKeep();
    const lines = linesOfState(this.present);
    for (const hunk of this.file.hunks) {
      const inside = textOf({ kind: 'text', text: lines.slice(hunk.start, hunk.end).join('') });
      for (const line of this.typed) {
        if (!inside.includes(line) || textOf(this.file.base).includes(line)) continue;
        // The line was typed into a kept change, so it is pending with that change, as the user's.
        assert.ok(hunk.authors.some(({ kind }) => kind === 'user'));
        this.typed.delete(line);
      }
    }
  }

  private writeFromOutside(): void {
    this.hasUserWritten = true;
    const state = this.spliced(
      () => [randomLine(this.next), randomLine(this.next)],
      linesOfState(this.spliced(() => [randomLine(this.next)])),
    );
    this.done.push(`outside ${JSON.stringify(state)}`);
    this.log.userEdit(this.uri, state);
    this.typed.clear();
    this.see(state);
  }

  private rename(): void {
    const to = `file:///${['one', 'two', 'three'][this.next(3)] ?? ''}`;
    const author = this.next(2) === 0 ? this.agent : ({ kind: 'user' } as const);
    this.done.push(`rename to ${to} by ${author.kind}`);
    this.log.rename(this.uri, to, author);
    this.uri = to;
  }

  private changeLineBreaks(): void {
    if (this.present.kind !== 'text') return;
    const lineBreak = this.next(2) === 0 ? '\r\n' : '\n';
    const state = { kind: 'text', text: this.present.text.replace(/\r\n|\n/g, lineBreak) } as const;
    this.done.push(`breaks ${JSON.stringify(lineBreak)}`);
    if (this.next(2) === 0) {
      this.log.agentEdit(this.uri, state, this.agent);
      this.typed.clear();
    } else {
      const waiting = this.waitingLines();
      this.log.userEdit(this.uri, state);
      assert.ok(this.waitingLines() <= waiting, 'the choice of a line break is nothing to review');
      this.hasUserWritten ||= state.text !== this.present.text;
    }
    this.see(state);
  }

  /** Deletes or creates the file, or makes it binary. */
  private replaceFile(): void {
    const kinds: FileState[] = [
      { kind: 'absent' },
      { kind: 'binary', hash: String(this.next(3)), size: 3 },
      randomText(this.next, 4),
    ];
    const state = kinds[this.next(3)] ?? { kind: 'absent' };
    const isAgent = this.next(3) > 0;
    this.done.push(`${isAgent ? 'agent' : 'user'} makes it ${JSON.stringify(state)}`);
    if (isAgent) this.log.agentEdit(this.uri, state, this.agent);
    else this.log.userEdit(this.uri, state);
    if (!isAgent) this.hasUserWritten = true;
    this.typed.clear();
    this.see(state);
  }

  private changeTraits(): void {
    const change = changeTraits(this.log, this.uri, this.agent, this.next);
    this.done.push(change.words);
    this.hasKept ||= change.isKept;
    this.hasUserWritten ||= change.isUsers;
    this.see(change.state);
  }

  private see(state: FileState): void {
    this.traits = knownTraits(this.traits, state);
    this.present = withTraits(state, this.traits);
    const left = textOf(state);
    for (const line of this.typed) if (!left.includes(line)) this.typed.delete(line);
  }

  private check(): void {
    const { file } = this;
    const { hunks, base, current } = file;
    same(current, this.present, 'the model knows the file as it is');
    same(withHunks(file, hunks), linesOfState(this.present), 'base and hunks give the present text');
    assert.equal(new Set(hunks.map(({ id }) => id)).size, hunks.length, 'ids are unique');
    hunks.forEach((hunk, index) => {
      assert.ok(hunk.start > (hunks[index - 1]?.end ?? -1), 'hunks are apart');
      assert.ok(hunk.authors.length > 0, 'every hunk has an author');
      assert.equal(hunk.lineAuthors.length, hunk.end - hunk.start);
    });
    if (file.traitChanges.every(({ kind }) => kind === 'rename') && hunks.length === 0) same(base, current);
    const json = JSON.stringify(this.log);
    const copy = logFrom(JSON.parse(json) as ReviewLogJson);
    assert.equal(JSON.stringify(copy), json, 'a record is read as it was written');
    this.checkUndoAll(copy, base);
    // Half of the time, continue with the data that survives a reload.
    if (this.next(2) === 0) this.log = logFrom(JSON.parse(json) as ReviewLogJson);
  }

  private checkUndoAll(log: ReviewLog, base: FileState): void {
    const plan = log.undoAll().find(({ uri }) => uri === this.uri)?.plan;
    const result = plan?.result ?? this.present;
    if (plan !== undefined) log.userEdit(this.uri, result);
    const file = log.file(this.uri);
    assert.ok(file !== undefined);
    same(file.hunks, [], 'undoing all leaves nothing to review');
    same(file.base, file.current);
    if (base.kind !== 'absent') same(result, base, 'undoing all gives the base');
    if (!this.hasKept && !this.hasUserWritten) same(result, this.first, 'undoing all gives the first bytes');
    for (const line of this.typed) assert.ok(textOf(result).includes(line), `${line} survives undoing all`);
  }
}

test(`${seeds} random sequences of agent, user, and review steps preserve all invariants`, () => {
  for (let seed = 1; seed <= seeds; seed++) {
    const run = new Run(seed);
    try {
      run.run();
    } catch (error) {
      throw new Error(`seed ${seed}\n${run.done.join('\n')}\n${String(error)}`, { cause: error });
    }
  }
});
