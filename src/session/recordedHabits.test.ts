import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readTraffic, TrafficPlayer, type TrafficLine } from '../../test/unit-support/playTraffic';
import { lateWorkOf } from '../shared/transcript/lateWork';
import type { ToolCallEntry } from '../shared/transcript/transcript';
import { backgroundMs, quietMs } from './turn/unprompted';

/* Habits of real agents, from recorded traffic (test/fixtures/traffic). See docs/agents.md. */

const recording = (name: string) => readTraffic(readFileSync(resolve(`test/fixtures/traffic/${name}.ndjson`), 'utf8'));
const play = (name: string, lines = recording(name)) => new TrafficPlayer(name).play(lines);
const kinds = ({ test }: TrafficPlayer) => lateWorkOf(test.view).map(({ kind }) => kind);

/** Returns the recording up to the answer that ends its first turn. */
function firstTurn(name: string): readonly TrafficLine[] {
  const lines = recording(name);
  const end = lines.findIndex((line) => 'message' in line && line.message.result?.['stopReason'] !== undefined);
  return lines.slice(0, end + 1);
}

void describe('a command that an agent leaves in the background', () => {
  void it('is noticed for Gemini, which never reports its end', async () => {
    const player = await play('gemini-background');
    assert.deepEqual(kinds(player), ['background']);
    assert.equal(player.test.all('tool_call')[0]?.rawInput, undefined);
    player.test.clock.pass(backgroundMs);
    assert.deepEqual(kinds(player), []);
  });

  void it('runs until Qwen and Claude report its end', async () => {
    for (const name of ['qwen-background', 'claude-background']) {
      assert.deepEqual(kinds(await play(name, firstTurn(name))), ['background'], name);
      const player = await play(name);
      player.test.clock.pass(quietMs);
      assert.deepEqual(kinds(player), [], name);
    }
  });

  void it('has ended once Copilot reports the exit with another call', async () => {
    const lines = recording('copilot-background');
    const read = lines.findIndex((line) => JSON.stringify(line).includes('shell_exit'));
    const early = await play('copilot-background', lines.slice(0, read));
    await early.test.agent.end();
    assert.deepEqual(kinds(early), ['background']);
    assert.deepEqual(kinds(await play('copilot-background')), []);
  });
});

void describe('Codex', () => {
  void it('fails with a card that offers to send again, whatever it answered', async () => {
    for (const name of ['codex-failures', 'codex-failures-v2']) {
      const { test } = await play(name);
      const cards = test.all('error');
      const turns = test.all('user_message').length;
      const cutOff = test.all('notice').filter(({ title }) => title.endsWith('reached its token limit'));
      assert.equal(cards.length + cutOff.length, turns - 1, `all turns of ${name} but the first`);
      for (const { cause, actions } of cards) {
        assert.equal(actions[0], 'sendAgain');
        const said = test.all('agent_message').flatMap(({ content }) => content);
        const isSaid = said.some((block) => block.type === 'text' && cause !== undefined && block.text.includes(cause));
        assert.equal(isSaid, false, `"${cause}" isn't shown twice`);
      }
    }
  });
});

void describe('Kilo', () => {
  void it('doesn’t change its request by announcing the call later', async () => {
    const lines = recording('kilo');
    const answer = lines.findIndex(
      (line) => 'message' in line && line.from === 'client' && line.message.result?.['outcome'] !== undefined,
    );
    const announced = lines.slice(0, answer).filter((line) => JSON.stringify(line).includes('"title":"edit"'));
    assert.ok(announced.length >= 2, 'the call is announced while the user is asked');
    const permissionOf = ({ test }: TrafficPlayer) => (test.all('tool_call').at(-1) as ToolCallEntry).permission;
    const asked = permissionOf(await play('kilo', lines.slice(0, answer)));
    assert.ok(asked.state === 'asked' && asked.changed === undefined);
    const answered = permissionOf(await play('kilo'));
    assert.ok(answered.state === 'answered' && answered.changed === undefined);
  });
});

void describe('opencode', () => {
  void it('shows its to-do list as a plan', async () => {
    const { test } = await play('opencode-todo');
    const [plan] = test.view.plans;
    assert.ok(plan?.type === 'items');
    assert.deepEqual(
      plan.items.map(({ content, status }) => [content, status]),
      [
        ['Read', 'completed'],
        ['Write', 'in_progress'],
      ],
    );
    assert.equal(test.all('plan').length, 1);
  });
});

void describe('Qwen', () => {
  void it('reports background work in notices, each once, apart from its answers', async () => {
    const { test } = await play('qwen-background');
    const titles = test.all('notice').map(({ title }) => title);
    assert.deepEqual(titles, ['Background shell "sleep 4; echo late > late.txt; echo done" completed.']);
    const texts = test.all('agent_message').map(({ content: [block] }) => block?.type === 'text' && block.text);
    assert.equal(
      texts.some((text) => text !== false && text.includes('Background shell')),
      false,
    );
  });
});
