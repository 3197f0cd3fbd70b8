import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesWithBreaks, withoutBreak } from '../../review/files/fileState';
import { cutLines, splitLines } from '../../review/lines/lines';
import { applyLineEdits, minimalEdits } from '../../review/lines/minimalEdits';
import { editKeepingBreaks } from '../../review/files/mixedBreaks';
import { rebaseLines } from '../../review/lines/rebase';
import { editText, mutated, random } from '../../../test/unit-support/testStates';
import type { SessionKey } from '../../shared/values/ids';
import { ReadMemory, textReadHere } from './readMemory';

const session = 'session' as SessionKey;
const key = '/file';
/**
 * Lines that neither side changes, between the agent's part and the user's part. Enough of them that no diff aligns on
 * blank lines instead.
 */
const middle = ['function first() {', '  return 1;', 'function second() {', '  return 2;', '// the end'];

type Random = (limit: number) => number;

/** Changes that the editor makes to a text when saving it. */
interface Participants {
  readonly trims: boolean;
  readonly trimsEnd: boolean;
  readonly insertsEnd: boolean;
}

function saved(text: string, { trims, trimsEnd, insertsEnd }: Participants): string {
  let result = trims ? text.replace(/[ \t]+$/gm, '') : text;
  if (trimsEnd) result = result.replace(/\n+$/, '\n');
  if (insertsEnd && result !== '' && !result.endsWith('\n')) result += '\n';
  return result;
}

/**
 * Returns the result of an agent's write to a document that shows `shown`. Lines end in `
 * `.
 */
function afterAgentWrite(memory: ReadMemory, shown: string, content: string): string {
  const present = splitLines(shown);
  const base = textReadHere(memory.get(session, key), content) ?? shown;
  const edits = rebaseLines(splitLines(base), splitLines(content), present);
  const result = editText(shown, minimalEdits(present, edits));
  assert.equal(result, applyLineEdits(present, edits).join('\n'));
  // The same write to a file with mixed line breaks, without the editor.
  const mixed = linesWithBreaks(shown).map((line, at) =>
    line.endsWith('\n') && at % 3 ? `${withoutBreak(line)}\r\n` : line,
  );
  assert.equal(splitLines(editKeepingBreaks(mixed.join(''), edits)).join('\n'), result);
  memory.didWrite(session, key, content);
  return result;
}

function sides(text: string): [string[], string[]] {
  const lines = splitLines(text);
  const at = lines.indexOf(middle[0] ?? '');
  assert.deepEqual(lines.slice(at, at + middle.length), middle, text);
  return [lines.slice(0, at), lines.slice(at + middle.length)];
}

const joined = (top: readonly string[], bottom: readonly string[]) => [...top, ...middle, ...bottom].join('\n');

/** Changes some lines of a part. Sometimes adds trailing white space or blank lines. */
function withRandomEdits(lines: readonly string[], mark: string, next: Random): string[] {
  return mutated(lines, 3, mark, next).map((line) => (next(12) === 0 ? `${line}  ` : line));
}

function someLines(next: Random): string[] {
  return Array.from({ length: next(8) }, (_, at) => (next(4) === 0 ? '' : next(5) === 0 ? '}' : `line ${at}`));
}

for (const isSaved of [false, true]) {
  test(`keeps random edits by user and agent to two parts${isSaved ? ', also when saved' : ''}`, () => {
    for (let seed = 1; seed <= 3000; seed++) {
      const next = random(seed);
      const participants = { trims: next(2) === 0, trimsEnd: next(2) === 0, insertsEnd: next(2) === 0 };
      const save = (text: string) => (isSaved ? saved(text, participants) : text);
      const plain = (text: string) =>
        isSaved
          ? text
              .split('\n')
              .map((line) => line.trimEnd())
              .filter(Boolean)
              .join('\n')
          : text;
      const memory = new ReadMemory();
      let shown = save(joined(someLines(next), [...someLines(next), ...(next(3) === 0 ? [] : [''])]));
      for (let round = 0; round < 3; round++) {
        memory.didRead(session, key, shown);
        let knows = shown;
        const isAgentAbove = next(2) === 0;
        for (let step = 0; step < 4; step++) {
          const [top, bottom] = sides(shown);
          switch (next(3)) {
            case 0:
              shown = isAgentAbove
                ? joined(top, withRandomEdits(bottom, 'U', next))
                : joined(withRandomEdits(top, 'U', next), bottom);
              if (next(2) === 0) shown = save(shown);
              break;
            case 1: {
              // The agent reads its own part again, which must change nothing.
              const [from, to] = isAgentAbove
                ? [0, top.length]
                : [top.length + middle.length, top.length + middle.length + bottom.length];
              if (!isSaved && to > from) {
                assert.deepEqual(
                  splitLines(cutLines(shown, from + 1, to - from)).slice(0, to - from),
                  splitLines(shown).slice(from, to),
                );
                memory.didRead(session, key, shown, { line: from + 1, limit: to - from });
              }
              break;
            }
            default: {
              const [knownTop, knownBottom] = sides(knows);
              knows = isAgentAbove
                ? joined(withRandomEdits(knownTop, 'A', next), knownBottom)
                : joined(knownTop, withRandomEdits(knownBottom, 'A', next));
              // An agent that writes exactly what it knows means to restore that text.
              if (knows === memory.get(session, key)?.text) break;
              const wanted = isAgentAbove ? joined(sides(knows)[0], bottom) : joined(top, sides(knows)[1]);
              const [was, before] = [shown, memory.get(session, key)?.text];
              shown = save(afterAgentWrite(memory, shown, knows));
              assert.equal(
                plain(shown),
                plain(save(wanted)),
                `seed ${seed}: ${JSON.stringify({ was, before, knows })}`,
              );
            }
          }
        }
      }
    }
  });
}
