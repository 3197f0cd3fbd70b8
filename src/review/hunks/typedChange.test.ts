import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SessionKey } from '../../shared/values/ids';
import { linesWithBreaks } from '../files/fileState';
import { ReviewLog } from '../log/reviewLog';
import { typedChange } from './typedChange';

const author = { kind: 'agent', agentName: 'Agent', session: 's' as SessionKey, turn: 1 } as const;

test('reporting typed lines gives the same result as reporting the whole text', () => {
  let seed = 11;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 400; round++) {
    const lineBreak = random(2) ? '\n' : '\r\n';
    const base = Array.from({ length: 1 + random(12) }, (_, at) => `line ${at}`).join(lineBreak);
    const changed = base.replace(/line (\d*[02468])/g, 'LINE $1');
    const logs = [new ReviewLog(), new ReviewLog()] as const;
    for (const log of logs) {
      log.track('a', { kind: 'text', text: base });
      log.agentEdit('a', { kind: 'text', text: changed }, author);
    }
    const [told, whole] = logs;
    let text = changed;
    for (let step = 0; step < 6; step++) {
      const lines = linesWithBreaks(text);
      const startLine = random(lines.length);
      const endLine = Math.min(lines.length - 1, startLine + random(3));
      const width = (line: number) => (lines[line] ?? '').replace(/[\r\n]+$/, '').length;
      const startCharacter = random(width(startLine) + 1);
      const endCharacter = Math.max(startLine === endLine ? startCharacter : 0, random(width(endLine) + 1));
      const typed = ['x', '', `two${lineBreak}lines`, lineBreak, 'LINE'][random(5)] ?? '';
      const change = { startLine, startCharacter, endLine, endCharacter, text: typed };
      const offset = (line: number, character: number) => lines.slice(0, line).join('').length + character;
      text = text.slice(0, offset(startLine, startCharacter)) + typed + text.slice(offset(endLine, endCharacter));
      const lineChange = typedChange(lines, change, text);
      assert.ok(lineChange);
      told.userChange('a', [lineChange]);
      whole.userEdit('a', { kind: 'text', text });
      const current = told.file('a')?.current;
      assert.equal(current?.kind === 'text' && current.text, text);
    }
  }
});

test('rejects a range outside the text', () => {
  const change = { startLine: 3, startCharacter: 0, endLine: 3, endCharacter: 0, text: 'x' };
  assert.equal(typedChange(['one\n', 'two'], change, 'one\ntwox'), undefined);
  const inLine = { ...change, startLine: 1, endLine: 1 };
  assert.equal(typedChange(['one\n', 'two'], inLine, 'one\nxTWO'), undefined, 'The editor showed another text.');
  assert.ok(typedChange(['one\n', 'two'], inLine, 'one\nxtwo'));
});
