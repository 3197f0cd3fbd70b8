import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, test } from 'node:test';
import { ResponseError } from '../../acp/base/errors';
import { decodeContextParts } from './decodeContext';
import { VendorCalls } from './vendorCalls';
import { vendorMessages, vendorMethods } from './vendorMethods';

/** What an agent answers, and which methods it was asked. */
function agent(answers: Readonly<Record<string, unknown>>, name = 'qwen-code') {
  const asked: string[] = [];
  const connection = {
    request: async ({ method }: { readonly method: string }) => {
      asked.push(method);
      const answer = answers[method];
      if (answer instanceof Error) throw answer;
      if (answer === undefined) throw new ResponseError(-32601, `"Method not found": ${method}`, { method });
      return answer as never;
    },
  };
  return {
    asked,
    calls: new VendorCalls(
      () => name,
      () => connection,
    ),
  };
}

const contextUsage = 'qwen/status/session/context_usage';
const params = { sessionId: 's1' };

test('the documentation lists each method of one agent', () => {
  const text = readFileSync('docs/agents.md', 'utf8');
  const rows = [...Object.values(vendorMethods), ...Object.values(vendorMessages)];
  for (const { method } of rows.map(({ call }) => call)) assert.ok(text.includes(`\`${method}\``), method);
});

void describe('a method of one agent', () => {
  void it('is read as the agent sends it', async () => {
    // Recorded from Qwen Code 0.24.4, shortened.
    const { calls } = agent({
      [contextUsage]: {
        v: 1,
        sessionId: 's1',
        workspaceCwd: '/w',
        usage: {
          modelName: 'scripted-model',
          totalTokens: 42,
          contextWindowSize: 200000,
          breakdown: {
            systemPrompt: 10,
            builtinTools: 22,
            mcpTools: 0,
            memoryFiles: 2,
            skills: 4,
            startupContext: 1,
            messages: 3,
            unattributed: 0,
            cachedTokens: 0,
            freeSpace: 166958,
            autocompactBuffer: 33000,
            thresholds: { warn: 147000, auto: 167000, hard: 177000, effectiveWindow: 180000 },
            currentTier: 'safe',
          },
          isEstimated: false,
          showDetails: false,
        },
        formattedText: '## Context Usage',
      },
      'qwen/status/session/stats': {
        v: 1,
        sessionId: 's1',
        promptCount: 4,
        models: {
          'scripted-model': {
            api: { totalRequests: 8, totalErrors: 0, totalLatencyMs: 3891 },
            tokens: { prompt: 336, candidates: 56, total: 392, cached: 0, thoughts: 0 },
          },
        },
        tools: { totalCalls: 1, totalSuccess: 1, totalFail: 0, totalDurationMs: 469, byName: {} },
      },
    });
    assert.deepEqual(await calls.ask('contextUsage', params), {
      used: 42,
      size: 200000,
      parts: [
        { kind: 'systemPrompt', tokens: 10 },
        { kind: 'builtinTools', tokens: 22 },
        { kind: 'memoryFiles', tokens: 2 },
        { kind: 'skills', tokens: 4 },
        { kind: 'startupContext', tokens: 1 },
        { kind: 'messages', tokens: 3 },
      ],
      compactsAt: 167000,
      isEstimated: false,
    });
    const counted = { tokens: 392, requests: 8, toolCalls: 1, failedToolCalls: 0 };
    assert.deepEqual(await calls.ask('stats', params), counted);
    assert.equal(calls.offers('contextUsage'), true);
  });

  void it('is tried once if the agent no longer has it', async () => {
    const { asked, calls } = agent({});
    assert.equal(await calls.ask('contextUsage', params), undefined);
    assert.equal(await calls.ask('contextUsage', params), undefined);
    assert.deepEqual(asked, [contextUsage]);
    assert.equal(calls.offers('contextUsage'), false);
    assert.equal(calls.offers('stats'), true);
  });

  void it("isn't used again after a malformed answer", async () => {
    const usage = { totalTokens: 4, contextWindowSize: 0, breakdown: {} };
    for (const answer of [
      null,
      'x',
      [],
      {},
      { usage: 4 },
      { usage },
      { usage: { ...usage, contextWindowSize: '9' } },
    ]) {
      const { asked, calls } = agent({ [contextUsage]: answer });
      for (let time = 0; time < 2; time += 1) {
        assert.equal(await calls.ask('contextUsage', params), undefined);
      }
      assert.equal(asked.length, 1, JSON.stringify(answer));
    }
  });

  void it('stays after another error, which the caller gets', async () => {
    const { asked, calls } = agent({ [contextUsage]: new ResponseError(-32602, 'Session not found', {}) });
    for (let time = 0; time < 2; time += 1) {
      await assert.rejects(calls.ask('contextUsage', params), { message: 'Session not found' });
    }
    assert.equal(asked.length, 2);
  });

  void it('is never asked of other agents', async () => {
    const { asked, calls } = agent({ [contextUsage]: {} }, 'gemini-cli');
    assert.equal(calls.offers('contextUsage'), false);
    assert.equal(await calls.ask('contextUsage', params), undefined);
    assert.deepEqual(asked, []);
  });
});

void describe('the parts of a context', () => {
  void it('are estimates before the first answer, and odd ones are skipped', () => {
    const breakdown = { systemPrompt: 5194, skills: -1, messages: 'many', builtinTools: 10839.4, thresholds: 7 };
    const usage = { totalTokens: 0, contextWindowSize: 200000, isEstimated: true, breakdown };
    assert.deepEqual(decodeContextParts({ usage }), {
      used: 16033,
      size: 200000,
      parts: [
        { kind: 'systemPrompt', tokens: 5194 },
        { kind: 'builtinTools', tokens: 10839 },
      ],
      isEstimated: true,
    });
  });
});
