// Plays a table column by column. Rows that do nothing share a window.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { playEmpty, playHostile, playMain, playUntrusted, playWorking, SharedStage, type Played } from './play';

/** Plays all columns of these commands or messages. */
export function playAll(rows: readonly Played[]): void {
  void describe('does what it promises:', () => {
    for (const played of rows) void it(played.name, () => playMain(played));
  });
  void describe('has a row that fails without it:', () => {
    for (const played of rows) {
      void it(played.name, async () => {
        await assert.rejects(playMain(played, true), (error) => error instanceof assert.AssertionError);
      });
    }
  });
  void describe('does nothing in a folder that isn’t trusted:', () => {
    const shared = new SharedStage('untrusted');
    after(() => shared.close());
    for (const played of rows) void it(played.name, () => playUntrusted(shared, played));
  });
  void describe('does nothing without a session:', () => {
    const shared = new SharedStage('empty');
    after(() => shared.close());
    for (const played of rows) void it(played.name, () => playEmpty(shared, played));
  });
  void describe('leaves a running turn alone:', () => {
    for (const played of rows) void it(played.name, () => playWorking(played));
  });
  void describe('resists hostile arguments:', () => {
    for (const played of rows) void it(played.name, () => playHostile(played));
  });
}
