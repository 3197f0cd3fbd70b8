import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseHTML } from 'linkedom';
import { boxOf } from './boxes';
import { pathLength } from './pathPoints';
import { TextMeasure } from './textBox';
import { TextRules } from './textStyle';

const { document } = parseHTML('<!doctype html><html><body></body></html>');

/** A text has 10 px for each character, 9 above its line and 3 below, whatever its font is. */
function box(markup: string, css = '') {
  document.body.innerHTML = `<svg id="d">${markup}</svg>`;
  const texts = new TextMeasure(new TextRules(css), (text, font) => {
    const size = Number(/([\d.]+)px/.exec(font)?.[1]) / 14;
    return { width: text.length * 10 * size, above: 9 * size, below: 3 * size };
  });
  const found = document.body.firstElementChild;
  const { left, top, right, bottom } = (found && boxOf(found, (text) => texts.boxOf(text))) ?? {};
  return [left, top, right, bottom].map((side) => (side === undefined ? side : Math.round(side)));
}

void describe('the box of a drawing', () => {
  void it('contains shapes, moved and turned', () => {
    assert.deepEqual(box('<rect x="1" y="2" width="10" height="20"></rect>'), [1, 2, 11, 22]);
    assert.deepEqual(
      box('<g transform="translate(5, 6) scale(2)"><circle cx="0" cy="0" r="3"></circle></g>'),
      [-1, 0, 11, 12],
    );
    assert.deepEqual(box('<g transform="rotate(90)"><rect width="10" height="20"></rect></g>'), [-20, 0, 0, 10]);
  });

  void it('follows the lines and curves of a path', () => {
    assert.deepEqual(box('<path d="M0 0h10v5l-10-5z"></path>'), [0, 0, 10, 5]);
    assert.deepEqual(box('<path d="M0,0 C0,40 40,40 40,0"></path>'), [0, 0, 40, 30]);
    assert.deepEqual(box('<path d="M0 0 A10 10 0 0 1 20 0"></path>'), [0, -10, 20, 0]);
    assert.equal(Math.round(pathLength('M0 0 H3 V4 Z')), 12);
  });

  void it('leaves out what is only defined', () => {
    assert.deepEqual(
      box('<defs><rect width="99" height="99"></rect></defs><rect width="1" height="1"></rect>'),
      [0, 0, 1, 1],
    );
  });

  void it('places texts by their anchor and their line', () => {
    assert.deepEqual(box('<text x="100" y="50">four</text>'), [100, 41, 140, 53]);
    assert.deepEqual(box('<text x="100" y="50" style="text-anchor: middle">four</text>'), [80, 41, 120, 53]);
    assert.deepEqual(
      box('<text y="0"><tspan x="0">ab</tspan><tspan x="0" dy="1em">abc</tspan></text>'),
      [0, -9, 30, 17],
    );
  });

  void it('takes the size of texts from the drawing’s rules', () => {
    assert.deepEqual(box('<g class="big"><text>ab</text></g>', '#d .big text{font-size:28px;}'), [0, -18, 40, 6]);
    assert.deepEqual(
      box('<g class="big"><text>ab</text></g>', '#d .big{font-size:2em;} #d .other text{font-size:7px}'),
      [0, -18, 40, 6],
    );
  });
});
