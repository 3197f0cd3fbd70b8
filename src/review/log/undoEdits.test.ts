import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameButLineBreaks, splitLines } from '../lines/lines';
import { minimalEdits } from '../lines/minimalEdits';
import { editorEdits } from './reviewedFile';
import { ReviewLog } from './reviewLog';
import { editText, mutated, random, textOf } from '../../../test/unit-support/testStates';
import type { SessionKey } from '../../shared/values/ids';

const uri = 'file:///a';

test('undo edits produce the planned result in the editor', () => {
  let byEdits = 0;
  for (let seed = 1; seed <= 2000; seed++) {
    const next = random(seed);
    const base = Array.from({ length: 1 + next(10) }, (_, at) => (next(4) === 0 ? '' : `line ${at}`));
    if (next(2) === 0) base.push('');
    const lineBreak = next(3) === 0 ? '\r\n' : '\n';
    const state = (lines: readonly string[]) => ({ kind: 'text', text: lines.join(lineBreak) }) as const;
    const log = new ReviewLog();
    const author = { kind: 'agent', agentName: 'Test', session: 'session' as SessionKey, turn: 1 } as const;
    const present = mutated(base, 4, 'A', next);
    log.track(uri, state(base));
    log.agentEdit(uri, state(present), author);
    const ids = (log.file(uri)?.hunks ?? []).map(({ id }) => id).filter(() => next(2) === 0);
    const plan = ids.length > 0 ? log.undo(uri, ids) : undefined;
    if (plan?.edits === undefined) continue;
    byEdits++;
    const shown = present.join('\n');
    const undone = editText(shown, minimalEdits(splitLines(shown), editorEdits(plan.edits)));
    assert.ok(
      isSameButLineBreaks(undone, textOf(plan.result)),
      `seed ${seed}: ${JSON.stringify([base, present, undone])}`,
    );
  }
  assert.ok(byEdits > 500);
});
