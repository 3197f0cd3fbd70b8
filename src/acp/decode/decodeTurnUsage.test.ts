import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { decodeLimit } from './decodeLimit';
import { decodeRequestUsage, decodeTurnUsage } from './decodeTurnUsage';

const quota = (token_count: unknown, model_usage: unknown) => ({ _meta: { quota: { token_count, model_usage } } });

suite('the tokens of a turn', () => {
  test('are read with the counts per model', () => {
    // Claude: the main loop, and rows that also count a subagent.
    const main = { totalTokens: 60, inputTokens: 10, cachedInputTokens: 20, cachedWriteTokens: 5, outputTokens: 25 };
    const rows = [
      { model: 'opus', token_count: main },
      { model: 'haiku', token_count: { totalTokens: 7, inputTokens: 6, outputTokens: 1 } },
    ];
    const counts = { total: 60, input: 10, output: 25, cachedRead: 20, cachedWrite: 5 };
    assert.deepEqual(decodeTurnUsage(quota(main, rows)), {
      ...counts,
      models: [
        { ...counts, model: 'opus' },
        { total: 7, input: 6, output: 1, model: 'haiku' },
      ],
    });
  });

  test('are read with the names that Codex and Gemini use', () => {
    const codex = {
      totalTokens: 9,
      inputTokens: 6,
      cacheWriteInputTokens: 2,
      outputTokens: 3,
      reasoningOutputTokens: 1,
    };
    assert.deepEqual(decodeTurnUsage(quota(codex, [])), { total: 9, input: 6, output: 3, thought: 1, cachedWrite: 2 });
    const gemini = { input_tokens: 6170, output_tokens: 315 };
    const counts = { total: 6485, input: 6170, output: 315 };
    assert.deepEqual(decodeTurnUsage(quota(gemini, [{ model: 'pro', token_count: gemini }])), {
      ...counts,
      models: [{ ...counts, model: 'pro' }],
    });
  });

  test('are the sum of the models if the main loop used none', () => {
    const none = { totalTokens: 0, inputTokens: 0, outputTokens: 0 };
    const row = { model: 'opus', token_count: { totalTokens: 12, inputTokens: 10, outputTokens: 2 } };
    for (const token_count of [none, null]) {
      const usage = decodeTurnUsage({ usage: none, ...quota(token_count, [row, row]) });
      assert.deepEqual([usage?.total, usage?.models?.length, usage?.models?.[0]?.total], [24, 1, 24]);
    }
    assert.equal(decodeTurnUsage({ usage: none, ...quota(null, []) }), undefined);
  });

  test('are read from damaged messages as far as possible', () => {
    const rows = [7, null, { model: 3, token_count: { inputTokens: 4 } }, { model: 'x' }, { token_count: 'many' }];
    assert.deepEqual(decodeTurnUsage(quota({ inputTokens: 'many', outputTokens: -3 }, rows)), {
      total: 4,
      input: 4,
      output: 0,
      models: [{ total: 4, input: 4, output: 0, model: '' }],
    });
    for (const end of [{}, { _meta: 3 }, { _meta: { quota: [] } }, { usage: 'x' }, quota('x', 'y')]) {
      assert.equal(decodeTurnUsage(end), undefined);
    }
    assert.equal(decodeTurnUsage({ usage: { totalTokens: 1e308 } })?.total, Number.MAX_SAFE_INTEGER);
  });
});

test('the tokens of a request are read from its update', () => {
  const usage = { inputTokens: 1200, outputTokens: 40, totalTokens: 1240, thoughtTokens: 8, cachedReadTokens: 0 };
  const update = { sessionUpdate: 'agent_message_chunk', _meta: { usage, durationMs: 812 } };
  assert.deepEqual(decodeRequestUsage(update), { total: 1240, input: 1200, output: 40, thought: 8, cachedRead: 0 });
  assert.equal(decodeRequestUsage({ ...update, _meta: { durationMs: 3 } }), undefined);
  assert.equal(decodeRequestUsage('x'), undefined);
});

test('a limit is read with its state, its share, and its time', () => {
  const limit = { status: 'allowed_warning', resetsAt: 1795720800, rateLimitType: 'five_hour', utilization: 0.82 };
  const warning = { type: 'five_hour', state: 'warning', resetsAt: 1795720800000, used: 0.82 };
  assert.deepEqual(decodeLimit(limit), warning);
  assert.deepEqual(decodeLimit({ status: 'rejected' }), { type: '', state: 'reached' });
  assert.deepEqual(decodeLimit({ status: 'rejected', isUsingOverage: true }), { type: '', state: 'warning' });
  assert.deepEqual(decodeLimit({ ...limit, resetsAt: 47, utilization: 'most', rateLimitType: 5 }), {
    type: '',
    state: 'warning',
  });
  for (const value of [undefined, 'rejected', {}, { status: 'later' }]) assert.equal(decodeLimit(value), undefined);
});
