import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SessionHarness } from '../../../test/unit-support/fakeSession';
import { ResponseError } from '../../acp/base/errors';
import { turnFailure } from './limitFailure';
import { readLimit } from './readLimit';

const now = new Date(2026, 10, 26, 17, 33).getTime();
const at = (hours: number, minutes: number, day = 26) => new Date(2026, 10, day, hours, minutes).getTime();
const minute = 60_000;

suite('texts about limits', () => {
  const texts: readonly (readonly [string, string | undefined, number?])[] = [
    // Claude
    ['Claude AI usage limit reached|1795720800', 'limit', 1795720800000],
    ['5-hour limit reached ∙ resets 6pm', 'limit', at(18, 0)],
    ['Your credit balance is too low to access the Anthropic API.', 'limit'],
    ['API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', 'overloaded'],
    ['API Error: Request rejected (429) · this request would exceed your rate limit', 'rate'],
    // Codex
    ['You’ve hit your usage limit. Upgrade to Pro or try again at Nov 29th, 2026 5:46 PM.', 'limit', at(17, 47, 29)],
    ["You've hit your usage limit. Try again at 5:46 PM.", 'limit', at(17, 47)],
    ['You’ve hit your usage limit. Try again in 1 hour 13 minutes.', 'limit', now + 73 * minute],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    // Gemini
    ['You exceeded your current quota. Please retry in 37.5s.', 'limit', now + 37_500],
    ['RESOURCE_EXHAUSTED: Your quota will reset after 18h31m5s.', 'limit', now + 66_665_000],
    // Qwen and others
    ['429 status code. Retry-After: 30', 'rate', now + 30_000],
    ['429', 'rate'],
    ['The request failed.\n529\n', 'overloaded'],
    ['Rate limit reached, resets at 16:20', 'rate', at(16, 21, 27)],
    ['Rate limit reached', 'rate'],
    ['503 Service Unavailable', 'overloaded'],
    // Something else
    ['stream disconnected before completion: Transport error', undefined],
    ['The file has 429 lines.', undefined],
    ['Bad request: context too long', undefined],
    ['Error at line 503: unexpected token', undefined],
    ['EDQUOT: disk quota exceeded', undefined],
    ['exceeded retry limit, last status: 500', undefined],
    ['System limit for number of file watchers reached', undefined],
    ['inotify watch limit reached', undefined],
    ['File size limit exceeded', undefined],
    ['Tool call limit reached', undefined],
    ['You have reached the maximum file size limit', undefined],
    ['You have reached your open file limit', undefined],
    ['Context window limit reached', undefined],
    ['Memory limit exceeded', undefined],
    ['Recursion limit reached', undefined],
    ['Maximum output token limit reached', undefined],
    ['The process hit your stack limit', undefined],
    ['storage quota exceeded', undefined],
    ['Time limit exceeded for the command', undefined],
    ['Turn limit reached: 50', undefined],
    ['Request size limit exceeded', undefined],
    // Usage under other names
    ['You’ve hit your limit', 'limit'],
    ['You’ve hit your limit · resets 6pm', 'limit', at(18, 0)],
    ['Limit reached', 'limit'],
    ['You have reached your weekly limit', 'limit'],
    ['Weekly Opus limit reached ∙ resets 6pm', 'limit', at(18, 0)],
    ['Monthly spending limit exceeded', 'limit'],
    ['You have reached your premium request limit', 'limit'],
    ['Daily request limit reached', 'limit'],
    ['Your organization’s spend limit was reached', 'limit'],
  ];
  test('are read with the time at which it works again', () => {
    for (const [text, kind, resetsAt] of texts) {
      const read = readLimit(text, now);
      assert.deepEqual([read?.kind, read?.resetsAt], [kind, resetsAt], text);
    }
  });

  test('are read in the zone and on the day that they name', () => {
    const day = Date.UTC(2026, 9, 6, 9, 30);
    const times: readonly (readonly [string, number | undefined])[] = [
      ['resets 8pm (Asia/Tokyo)', Date.UTC(2026, 9, 6, 11)],
      ['resets 6pm (Asia/Tokyo)', Date.UTC(2026, 9, 7, 9)],
      ['resets 3am (America/New_York)', Date.UTC(2026, 9, 7, 7)],
      ['resets 8pm (UTC)', Date.UTC(2026, 9, 6, 20)],
      ['resets 8pm UTC', Date.UTC(2026, 9, 6, 20)],
      ['resets at 20:00 (UTC+2)', Date.UTC(2026, 9, 6, 18, 1)],
      ['resets 8pm PT', Date.UTC(2026, 9, 7, 3)],
      ['resets 8pm CEST', Date.UTC(2026, 9, 6, 18)],
      ['resets 8pm (Europe/Nowhere)', undefined],
      ['resets Oct 9 at 5pm (UTC)', Date.UTC(2026, 9, 9, 17)],
      ['resets Oct 9, 5pm (Asia/Tokyo)', Date.UTC(2026, 9, 9, 8)],
      ['resets October 9th at 5:30pm (UTC)', Date.UTC(2026, 9, 9, 17, 31)],
      ['resets 9 Oct 17:00 UTC', Date.UTC(2026, 9, 9, 17, 1)],
      ['resets on Oct 9, 2026 at 5pm (UTC)', Date.UTC(2026, 9, 9, 17)],
      ['resets Thursday 5pm (UTC)', Date.UTC(2026, 9, 8, 17)],
      ['resets Thu at 5pm (Asia/Tokyo)', Date.UTC(2026, 9, 8, 8)],
      ['resets Tuesday 5pm (UTC)', Date.UTC(2026, 9, 6, 17)],
      ['resets Tuesday 5am (UTC)', Date.UTC(2026, 9, 13, 5)],
      ['resets tomorrow at 5pm (UTC)', Date.UTC(2026, 9, 7, 17)],
      ['try again at 2026-10-09T17:00:30Z', Date.UTC(2026, 9, 9, 17, 0, 30)],
      ['resets at 2026-10-09 17:00 UTC', Date.UTC(2026, 9, 9, 17, 1)],
      ['resets Oct 9 (UTC)', Date.UTC(2026, 9, 9)],
      ['resets Oct 9 (Asia/Tokyo).', Date.UTC(2026, 9, 8, 15)],
      ['resets on 9 October UTC', Date.UTC(2026, 9, 9)],
      ['will reset on Nov 1st, 2026 (UTC)', Date.UTC(2026, 10, 1)],
      ['available again on 2026-10-09 UTC', Date.UTC(2026, 9, 9)],
      ['resets Thursday (UTC)', Date.UTC(2026, 9, 8)],
      ['resets tomorrow (UTC)', Date.UTC(2026, 9, 7)],
      ['refreshes tomorrow at noon UTC', Date.UTC(2026, 9, 7, 12)],
      ['resets at midnight UTC', Date.UTC(2026, 9, 7)],
      ['resets at midnight Pacific time', Date.UTC(2026, 9, 7, 7)],
      ['{"resetsAt":1791540000000}', 1_791_540_000_000],
      ['resets Oct 6 (UTC)', undefined],
      ['resets Oct 32 (UTC)', undefined],
      ['resets Oct 9 (Europe/Nowhere)', undefined],
      ['resets may be late', undefined],
      ['resets Oct 5 at 5pm (UTC)', undefined],
      ['resets Oct 99 at 5pm', undefined],
      ['resets Abc 9 at 5pm', undefined],
      ['resets 25:00', undefined],
    ];
    for (const [words, resetsAt] of times)
      assert.equal(readLimit(`You’ve hit your limit · ${words}`, day)?.resetsAt, resetsAt, words);
    const local = new Date(2026, 9, 6, 9, 30).getTime();
    // A day begins here and in UTC, whichever is later.
    const begun = (date: number) => Math.max(new Date(2026, 9, date).getTime(), Date.UTC(2026, 9, date));
    const inWindow: readonly (readonly [string, number])[] = [
      ['resets Oct 9', begun(9)],
      ['resets Thursday.', begun(8)],
      ['try again on Oct 9, 2026', begun(9)],
      ['resets Oct 9 at 5pm', new Date(2026, 9, 9, 17).getTime()],
      ['resets Thursday 5pm', new Date(2026, 9, 8, 17).getTime()],
      ['resets 5pm (in a while)', new Date(2026, 9, 6, 17).getTime()],
    ];
    for (const [words, resetsAt] of inWindow)
      assert.equal(readLimit(`Weekly limit reached · ${words}`, local)?.resetsAt, resetsAt, words);
    const newYear = readLimit('Weekly limit reached · resets Jan 2 at 5pm (UTC)', Date.UTC(2026, 11, 30));
    assert.equal(newYear?.resetsAt, Date.UTC(2027, 0, 2, 17));
  });

  test('are no limits where the agent’s code says something else', () => {
    const kindOf = (data: unknown, code = -32603, message = 'Tried again') =>
      turnFailure({ agentName: 'Claude' }, new ResponseError(code, message, data), now).code;
    const cases: readonly (readonly [unknown, string, number?, string?])[] = [
      [{ codexErrorInfo: 'usageLimitExceeded' }, 'usageLimit'],
      [{ codexErrorInfo: 'usage_limit_exceeded' }, 'usageLimit'],
      [{ codexErrorInfo: { httpConnectionFailed: { httpStatusCode: 429 } } }, 'usageLimit'],
      [{ codexErrorInfo: 'serverOverloaded' }, 'overloaded'],
      [{ errorKind: 'rate_limit' }, 'usageLimit'],
      [{ errorKind: 'billing_error' }, 'usageLimit'],
      [{ error: { type: 'overloaded_error' } }, 'overloaded'],
      [undefined, 'usageLimit', 429],
      [undefined, 'overloaded', 529],
      [{ errorKind: 'invalid_request' }, 'promptFailed', -32603, 'Usage limit reached'],
      [{ codexErrorInfo: 'contextWindowExceeded' }, 'promptFailed', -32603, 'Session limit reached'],
      [{ codexErrorInfo: 'other' }, 'usageLimit', -32603, 'You’ve hit your usage limit.'],
      [{ note: 'rate_limit' }, 'promptFailed'],
    ];
    for (const [data, code, number, message] of cases)
      assert.equal(kindOf(data, number, message), code, JSON.stringify([data, number, message]));
  });

  test('have no time that is past or years away', () => {
    for (const text of ['limit reached|1495720800', 'limit reached, try again at Nov 2, 2029 5:46 PM']) {
      assert.deepEqual(readLimit(text, now), { kind: 'limit' });
    }
  });
});

suite('the card of a limit', () => {
  const card = (error: unknown, limits: NonNullable<Parameters<typeof turnFailure>[0]['limits']> = []) =>
    turnFailure({ agentName: 'Claude', limits }, error, now);

  test('says what is used up, when it resets, and no JSON', () => {
    const json = '{"type":"error","error":{"type":"rate_limit_error"},"request_id":"r1"}';
    const limits = [
      { type: 'seven_day', state: 'ok', resetsAt: at(9, 0, 28) },
      { type: 'five_hour', state: 'reached', resetsAt: at(18, 20) },
    ] as const;
    const { code, title, cause, limit, actions } = card(new ResponseError(-32603, `API Error: 429 ${json}`), limits);
    assert.deepEqual([code, title], ['usageLimit', 'You’ve reached Claude’s usage limit.']);
    assert.deepEqual(limit, { type: 'five_hour', resetsAt: at(18, 20) });
    assert.equal(cause, undefined, 'the title says in words what the number means');
    assert.deepEqual(actions, ['sendLater', 'sendAgain', 'continueWith', 'showLog']);
  });

  test('has words instead of the number of a status', () => {
    const texts = ['429', '429 {"type":"error"}', 'HTTP 429', 'API Error: 429', '429 status code (no body)'];
    for (const text of texts) {
      const { title, cause } = card(new ResponseError(-32603, text));
      assert.deepEqual([title, cause], ['Claude’s model provider limits your requests.', undefined], text);
    }
    const busy = card(new ResponseError(-32603, 'Internal error', { status: 529 }));
    assert.deepEqual([busy.title, busy.cause], ['Claude’s model provider is overloaded.', undefined]);
    // What says more stays.
    const said = card(new ResponseError(-32603, 'HTTP 429: slow down, Ada'));
    assert.deepEqual([said.code, said.cause], ['usageLimit', 'HTTP 429: slow down, Ada']);
  });

  test('of a limit that has reset says nothing of its time', () => {
    const limits = [{ type: 'five_hour', state: 'reached', resetsAt: at(17, 0) }] as const;
    const { limit, actions } = card(new Error('usage limit reached'), limits);
    assert.deepEqual([limit, actions], [{ type: '' }, ['sendAgain', 'continueWith', 'showLog']]);
  });

  test('is none for other failures, which show no JSON either', () => {
    const { code, cause } = card(new ResponseError(-32603, 'Internal error', { stack: { at: [1, 2] }, port: 5 }));
    assert.deepEqual([code, cause], ['promptFailed', 'Internal error']);
    assert.equal(card(new Error('Broken: {"a":1}')).cause, 'Broken');
    assert.equal(card(new Error('It said [done] {twice}')).cause, 'It said [done] {twice}');
  });

  test('comes for a limit that Codex reports as a system error', async () => {
    const harness = new SessionHarness().open();
    harness.session.sendPrompt('Fix my notes');
    const threadStatus = { type: 'systemError' };
    harness.update({ sessionUpdate: 'session_info_update', _meta: { codex: { threadStatus } } });
    harness.say('You’ve hit your usage limit. Try again in 3 hours.');
    await harness.agent.end();
    const [entry] = harness.all('error');
    assert.deepEqual([entry?.code, entry?.limit], ['usageLimit', { type: '', resetsAt: 1000 + 3 * 60 * minute }]);
  });
});
