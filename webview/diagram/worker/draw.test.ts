import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHTML } from 'linkedom';
import { serialize } from './draw';

void describe('a drawing as XML', () => {
  void it('escapes texts, attributes, and what XML can’t have', () => {
    const { document } = parseHTML('<!doctype html><html><body></body></html>');
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const style = document.createElementNS('http://www.w3.org/2000/svg', 'style');
    style.textContent = '</style><script>alert(1)</script>';
    svg.append(style);
    svg.setAttribute('data-x', '"<&\u0000');
    assert.equal(
      serialize(svg),
      '<svg data-x="&#34;&#60;&#38;"><style>&#60;/style&#62;&#60;script&#62;alert(1)&#60;/script&#62;</style></svg>',
    );
  });
});
