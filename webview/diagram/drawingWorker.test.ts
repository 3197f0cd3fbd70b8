import assert from 'node:assert/strict';
import { describe, it, mock } from 'node:test';
import type { DrawOrder, Drawing } from './worker/drawing';
import { DrawingWorker } from './drawingWorker';

const order = (source: string): DrawOrder => ({ source, colors: { isDark: true, fontFamily: '', themeVariables: {} } });

function setUp() {
  const asked: string[] = [];
  const answers: ((drawing: Drawing) => void)[] = [];
  const failures: ((error: Error) => void)[] = [];
  const counts = { started: 0, ended: 0 };
  const worker = new DrawingWorker(() => {
    counts.started++;
    return {
      ask: ({ source }) => {
        asked.push(source);
        return new Promise((resolve, reject) => {
          answers.push(resolve);
          failures.push(reject);
        });
      },
      end: () => counts.ended++,
    };
  });
  return { worker, asked, answers, failures, counts };
}

const turns = () => new Promise((resolve) => setImmediate(resolve));

void describe('the worker for diagrams', () => {
  void it('draws one diagram after the other', async () => {
    const { worker, asked, answers, counts } = setUp();
    const first = worker.draw(order('a'));
    void worker.draw(order('b'));
    await turns();
    assert.deepEqual(asked, ['a']);
    answers[0]?.({ problem: 'error' });
    await first;
    await turns();
    assert.deepEqual(asked, ['a', 'b']);
    assert.deepEqual(counts, { started: 1, ended: 0 });
    answers[1]?.({ problem: 'error' });
  });

  void it('is ended when a drawing takes too long, and draws the next', async () => {
    mock.timers.enable({ apis: ['setTimeout'] });
    const { worker, asked, answers, counts } = setUp();
    const first = worker.draw(order('a'));
    const second = worker.draw(order('b'));
    await turns();
    mock.timers.tick(10_000);
    assert.deepEqual(await first, { problem: 'tooLong' });
    await turns();
    assert.deepEqual(counts, { started: 2, ended: 1 });
    assert.deepEqual(asked, ['a', 'b']);
    answers[1]?.({ problem: 'error' });
    assert.deepEqual(await second, { problem: 'error' });
    mock.timers.reset();
  });

  void it('is started again after it failed', async () => {
    const { worker, failures, counts } = setUp();
    const first = worker.draw(order('a'));
    await turns();
    failures[0]?.(new Error('out of memory'));
    await assert.rejects(first);
    void worker.draw(order('b'));
    await turns();
    assert.deepEqual(counts, { started: 2, ended: 1 });
  });
});
