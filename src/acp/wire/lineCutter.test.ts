import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../../test/unit-support/scriptedAgent';
import { LineCutter } from './lineCutter';

function cut(chunks: readonly Buffer[], limit = 1024): { lines: string[]; bytes: number[]; tooLong: string[] } {
  const result = { lines: [] as string[], bytes: [] as number[], tooLong: [] as string[] };
  const cutter = new LineCutter({
    limit,
    onLine: (line, bytes) => {
      result.lines.push(line);
      result.bytes.push(bytes);
    },
    onTooLong: (beginning) => result.tooLong.push(beginning),
  });
  for (const chunk of chunks) cutter.push(chunk);
  cutter.flush();
  return result;
}

function splitAt(bytes: Buffer, random: () => number, largest: number): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + Math.floor(random() * largest);
    chunks.push(bytes.subarray(at, end));
    at = end;
  }
  return chunks;
}

test('any split into chunks gives the same lines, including multi-byte characters', () => {
  const lines = ['{"a":1}', 'größe', '日本語の行', '🙂🙃 mixed ü', 'x'.repeat(700), 'last without a line break'];
  const bytes = Buffer.from(lines.join('\n'));
  for (let seed = 1; seed <= 300; seed++) {
    const chunks = splitAt(bytes, seededRandom(seed), 1 + (seed % 40));
    const result = cut(chunks);
    assert.deepEqual(result.lines, lines, `seed ${seed}`);
    assert.deepEqual(
      result.bytes,
      lines.map((line) => Buffer.byteLength(line)),
      `seed ${seed}`,
    );
  }
});

test('cuts a stream that arrives byte by byte', () => {
  const bytes = Buffer.from('é\n🙂\n');
  assert.deepEqual(cut([...bytes].map((byte) => Buffer.from([byte]))).lines, ['é', '🙂']);
});

test('drops a byte order mark only at the start of the stream', () => {
  const bytes = Buffer.from('\uFEFFfirst\n\uFEFFsecond\n');
  assert.deepEqual(cut([bytes.subarray(0, 2), bytes.subarray(2)]).lines, ['first', '\uFEFFsecond']);
});

test('accepts a line of exactly the limit and rejects one byte more', () => {
  assert.deepEqual(cut([Buffer.from(`${'x'.repeat(10)}\n`)], 10).lines, ['x'.repeat(10)]);
  for (const chunks of [[`${'x'.repeat(11)}\nafter\n`], ['xxxxxx', 'xxxxx', '\nafter\n'], ['xxxxxxxxxxx']]) {
    const result = cut(
      chunks.map((chunk) => Buffer.from(chunk)),
      10,
    );
    assert.deepEqual(result, { lines: [], bytes: [], tooLong: ['x'.repeat(11)] });
  }
});

test('emits no more lines after a listener stops the cutter', () => {
  const lines: string[] = [];
  const cutter: LineCutter = new LineCutter({
    limit: 100,
    onLine: (line) => {
      lines.push(line);
      cutter.stop();
    },
    onTooLong: () => assert.fail('no line is too long'),
  });
  cutter.push(Buffer.from('one\ntwo\nthr'));
  cutter.push(Buffer.from('ee\n'));
  cutter.flush();
  assert.deepEqual(lines, ['one']);
});
