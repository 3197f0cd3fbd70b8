import assert from 'node:assert/strict';
import { CancellationTokenSource, Disposable, EventEmitter } from 'vscode';
import type { Contract } from './contract';

/** Events, cancellation, and what is disposed of. */
export const eventContract: Contract = ({ suite, test }, ground) => {
  suite('EventEmitter', () => {
    test('tells all listeners, in their order', () => {
      const emitter = new EventEmitter<number>();
      const heard: string[] = [];
      emitter.event((value) => heard.push(`a${value}`));
      const second = emitter.event((value) => heard.push(`b${value}`));
      emitter.event((value) => heard.push(`c${value}`));
      emitter.fire(1);
      second.dispose();
      second.dispose();
      emitter.fire(2);
      assert.deepEqual(heard, ['a1', 'b1', 'c1', 'a2', 'c2']);
    });

    test('tells a function twice if it listens twice', () => {
      const emitter = new EventEmitter<void>();
      let heard = 0;
      const listener = () => (heard += 1);
      const first = emitter.event(listener);
      emitter.event(listener);
      emitter.fire();
      assert.equal(heard, 2);
      first.dispose();
      emitter.fire();
      assert.equal(heard, 3);
    });

    test('tells the others if a listener throws', (context) => {
      ground.mayThrow(context);
      const emitter = new EventEmitter<void>();
      const heard: string[] = [];
      emitter.event(() => {
        throw new Error('thrown by a listener of the contract');
      });
      emitter.event(() => heard.push('second'));
      emitter.fire();
      assert.deepEqual(heard, ['second']);
    });

    test('calls a listener with its object, and puts its end into lists', () => {
      const emitter = new EventEmitter<string>();
      const held: Disposable[] = [];
      const owner = { heard: '' };
      emitter.event(
        function (this: typeof owner, value) {
          this.heard += value;
        },
        owner,
        held,
      );
      emitter.fire('a');
      for (const one of held) one.dispose();
      emitter.fire('b');
      assert.deepEqual([owner.heard, held.length], ['a', 1]);
    });

    test('does not tell a listener that another has ended', () => {
      const emitter = new EventEmitter<void>();
      const heard: string[] = [];
      emitter.event(() => {
        second.dispose();
      });
      const second: Disposable = emitter.event(() => heard.push('second'));
      emitter.event(() => heard.push('third'));
      emitter.fire();
      assert.deepEqual(heard, ['third']);
    });

    test('does not tell who began to listen during the event', () => {
      const emitter = new EventEmitter<number>();
      const heard: string[] = [];
      const first = emitter.event((value) => {
        first.dispose();
        heard.push(`first ${value}`);
        emitter.event((later) => heard.push(`late ${later}`));
      });
      emitter.fire(1);
      emitter.fire(2);
      assert.deepEqual(heard, ['first 1', 'late 2']);
    });

    test('tells all about an event before those that it causes', () => {
      const emitter = new EventEmitter<number>();
      const heard: string[] = [];
      emitter.event((value) => {
        heard.push(`a${value}`);
        if (value === 1) emitter.fire(2);
      });
      emitter.event((value) => heard.push(`b${value}`));
      emitter.fire(1);
      assert.deepEqual(heard, ['a1', 'b1', 'a2', 'b2']);
    });

    test('tells nobody once it is disposed of', () => {
      const emitter = new EventEmitter<void>();
      const heard: string[] = [];
      emitter.event(() => emitter.dispose());
      emitter.event(() => heard.push('during'));
      emitter.fire();
      emitter.event(() => heard.push('late')).dispose();
      emitter.event(() => heard.push('late'));
      emitter.fire();
      assert.deepEqual(heard, []);
    });
  });

  suite('CancellationTokenSource', () => {
    test('tells once that something is cancelled', () => {
      const source = new CancellationTokenSource();
      const heard: string[] = [];
      source.token.onCancellationRequested(() => heard.push('cancelled'));
      assert.equal(source.token.isCancellationRequested, false);
      source.cancel();
      source.cancel();
      assert.equal(source.token.isCancellationRequested, true);
      assert.deepEqual(heard, ['cancelled']);
    });

    test('tells a late listener, but not at once', async () => {
      const source = new CancellationTokenSource();
      const { token } = source;
      source.cancel();
      let isAtOnce = false;
      const told = new Promise<void>((resolve) =>
        token.onCancellationRequested(() => {
          isAtOnce = true;
          resolve();
        }),
      );
      assert.equal(isAtOnce, false);
      await told;
    });

    test('can be cancelled before anyone asks for its token', () => {
      const source = new CancellationTokenSource();
      source.cancel();
      assert.equal(source.token.isCancellationRequested, true);
    });

    test('tells nobody after it is disposed of', () => {
      const source = new CancellationTokenSource();
      const heard: string[] = [];
      const { token } = source;
      token.onCancellationRequested(() => heard.push('cancelled'));
      source.dispose();
      assert.equal(token.isCancellationRequested, false);
      source.cancel();
      assert.deepEqual(heard, []);
    });
  });

  suite('Disposable', () => {
    test('ends once', () => {
      let ended = 0;
      const one = new Disposable(() => (ended += 1));
      one.dispose();
      one.dispose();
      assert.equal(ended, 1);
    });

    test('can end several others', () => {
      const ended: string[] = [];
      const all = Disposable.from({ dispose: () => ended.push('a') }, new Disposable(() => ended.push('b')));
      all.dispose();
      all.dispose();
      assert.deepEqual(ended, ['a', 'b']);
    });
  });
};
