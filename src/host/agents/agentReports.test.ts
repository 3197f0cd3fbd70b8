import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../shared/values/event';
import type { AgentId } from '../../shared/values/ids';
import type { TranscriptOp } from '../../shared/transcript/ops';
import type { SessionView, Transcript } from '../../shared/transcript/transcript';
import { emptyView } from '../../../test/unit-support/emptyView';
import { AgentReports, type ReportedSession } from './agentReports';

const claude = 'settings:Claude' as AgentId;

/** A window with a session of an agent, which reports what it is told to. */
function window() {
  const applied = new Emitter<readonly TranscriptOp[]>();
  const opened = new Emitter<void>();
  const transcript = { view: { ...emptyView, agentId: claude } as SessionView };
  const session = { transcript: transcript as unknown as Transcript, onDidApply: applied.event } as ReportedSession;
  const sessions: ReportedSession[] = [session];
  const clock = { now: 1000 };
  const reports = new AgentReports({ sessions, onDidChangeSessions: opened.event }, () => clock.now);
  let changes = 0;
  reports.onDidChange(() => (changes += 1));
  return {
    clock,
    reports,
    get changes() {
      return changes;
    },
    report: (fields: Partial<SessionView>) => {
      transcript.view = { ...transcript.view, ...fields };
      applied.fire([{ op: 'view', fields }]);
    },
    close: () => {
      sessions.length = 0;
      opened.fire();
    },
  };
}

test('the fullest limit of an agent counts until it resets', () => {
  const at = window();
  at.report({
    limits: [
      { type: 'five_hour', state: 'ok', used: 0.9, resetsAt: 2000 },
      { type: 'seven_day', state: 'ok', used: 0.38 },
      { type: 'overage', state: 'ok' },
    ],
  });
  assert.deepEqual(at.reports.of(claude).limit?.type, 'five_hour');
  at.clock.now = 2000;
  assert.deepEqual(at.reports.of(claude), { limit: { type: 'seven_day', state: 'ok', used: 0.38 } });
  assert.deepEqual(at.reports.of('settings:Codex' as AgentId), {});
  assert.equal(at.changes, 1);
});

test('an agent needs a login until a session of it is ready', () => {
  const at = window();
  at.report({ connection: { state: 'login' } });
  assert.equal(at.reports.of(claude).needsLogin, true);
  at.report({ connection: { state: 'login' } });
  assert.equal(at.changes, 1);
  at.close();
  assert.equal(at.reports.of(claude).needsLogin, true);
  const again = window();
  again.report({ connection: { state: 'login' } });
  again.report({ connection: { state: 'ready' } });
  assert.equal(again.reports.of(claude).needsLogin, undefined);
  assert.equal(again.changes, 2);
});
