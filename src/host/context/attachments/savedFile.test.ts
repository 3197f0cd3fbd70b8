import assert from 'node:assert/strict';
import { test } from 'node:test';
import { savedBytes, savedName } from './savedFile';

const blob = (uri: string, data = 'AAAA') => ({ type: 'resource_blob', uri, blob: data }) as const;

test('a file name from a URI is never a path or hidden', () => {
  const names = [
    ['file:///w/report.pdf', 'report.pdf'],
    ['https://example.com/a%20b.zip?x=1#top', 'a b.zip'],
    ['file:///w/..%2F..%2F.bashrc', 'bashrc'],
    ['C:\\Users\\me\\plan.docx', 'plan.docx'],
    ['file:///w/invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['file:///w/', 'w'],
    ['..', 'file'],
    ['file:///w/%E0%A4', '%E0%A4'],
    [`file:///w/${'x'.repeat(300)}.tar`, `${'x'.repeat(100)}.tar`],
  ] as const;
  for (const [uri, name] of names) assert.equal(savedName(blob(uri)), name, uri);
});

test('content without a name is named after its kind', () => {
  assert.equal(savedName({ type: 'image', data: '', mimeType: 'image/png' }), 'image.png');
  assert.equal(savedName({ type: 'audio', data: '', mimeType: 'audio/MPEG; rate=44100' }), 'audio.mp3');
  assert.equal(savedName({ type: 'audio', data: '', mimeType: 'audio/of-tomorrow' }), 'audio');
  assert.equal(savedName({ ...blob('urn:thing'), mimeType: 'application/pdf' }), 'thing.pdf');
});

test('decodes base64 with or without line breaks, and rejects anything else', () => {
  assert.deepEqual(savedBytes(blob('x', 'AQID\nBA==')), Buffer.from([1, 2, 3, 4]));
  assert.deepEqual(savedBytes(blob('x', '')), Buffer.alloc(0));
  assert.equal(savedBytes(blob('x', 'no base64!')), undefined);
});
