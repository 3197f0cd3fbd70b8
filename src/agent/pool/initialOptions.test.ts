import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isReady, PoolHarness, until, workspace } from '../../../test/unit-support/poolHarness';
import type { InitialOption } from '../../acp/shape/openingSetup';
import type { ConfigOption } from '../../shared/transcript/transcript';

const model = {
  id: 'model',
  name: 'Model',
  type: 'select',
  currentValue: 'small',
  options: [
    { value: 'small', name: 'Small' },
    { value: 'large', name: 'Large' },
  ],
};
const web = { id: 'web', name: 'Web', type: 'boolean', currentValue: false };
const offers = { initialize: { agentCapabilities: { sessionCapabilities: { options: {} } } } };
let offered: readonly (readonly ConfigOption[])[] = [];
const wanted: readonly InitialOption[] = [
  { configId: 'model', value: 'large' },
  { configId: 'web', value: true },
];
const test = new PoolHarness({
  wantedOptions: (_session, options) => {
    offered = [...offered, options];
    return wanted;
  },
});

afterEach(async () => {
  await test.pool.stopAll();
  offered = [];
});

void describe('the options of a new session', () => {
  void it('are asked for before, and have the user’s values from the start', async () => {
    const session = test.start({ ...offers, answers: { 'session/options': { configOptions: [model, web] } } });
    await until(session, isReady);
    assert.deepEqual(test.sent(), ['initialize', 'session/options', 'session/new']);
    const [, asked, opened] = test.wire().flatMap(([direction, message]) => (direction === 'send' ? [message] : []));
    assert.deepEqual(asked?.params, { cwd: workspace });
    assert.deepEqual((opened?.params as { configOptions?: unknown }).configOptions, [
      { configId: 'model', value: 'large' },
      { configId: 'web', type: 'boolean', value: true },
    ]);
    assert.deepEqual(
      offered.map((options) => options.map(({ configId, currentValue }) => [configId, currentValue])),
      [
        [
          ['model', 'small'],
          ['web', false],
        ],
      ],
    );
  });

  for (const [what, answers] of [
    ['an error', { 'session/options': { error: { code: -32603, message: 'Broken' } } }],
    ['nothing that can be read', { 'session/options': 'soon' }],
  ] as const) {
    void it(`don’t keep a session from opening if the answer is ${what}`, async () => {
      const session = test.start({ ...offers, answers });
      await until(session, isReady);
      assert.deepEqual(test.sent(), ['initialize', 'session/options', 'session/new']);
      assert.deepEqual(offered, what === 'an error' ? [] : [[]]);
    });
  }

  void it('aren’t asked for if the agent can’t tell', async () => {
    const session = test.start({});
    await until(session, isReady);
    assert.deepEqual(test.sent(), ['initialize', 'session/new']);
    assert.deepEqual(offered, []);
  });
});
