import * as l10n from '@vscode/l10n';
import type { AgentLease } from '../pool/agentLease';
import type { Finding } from './check';

/** An agent that is slower is checked without its own words, in milliseconds. */
const patience = 5000;

/** What an agent says about its own setup. */
export interface OwnCheck {
  /** What it has, in sentences. */
  readonly has: readonly string[];
  /** What it complains about, in its words. */
  readonly complaints: readonly string[];
}

/** Asks an agent that checks its own setup. Resolves to nothing for all others. Never rejects. */
export async function ownCheck(
  agent: Pick<AgentLease['agent'], 'vendor' | 'redact'>,
  signal: AbortSignal,
): Promise<OwnCheck> {
  const { vendor } = agent;
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
  const [complaints, skills, hooks] = await Promise.all([
    vendor.ask('preflight', {}, inTime).catch(() => undefined),
    vendor.ask('skills', {}, inTime).catch(() => undefined),
    vendor.ask('hooks', {}, inTime).catch(() => undefined),
  ]);
  const broken = skills?.broken ?? [];
  return {
    has: [skills ? skillWords(skills.count) : '', hooks ? hookWords(hooks) : ''].filter(Boolean),
    complaints: [
      ...(complaints ?? []),
      ...(broken.length > 0 ? [l10n.t('Skills with problems: {0}', broken.join(', '))] : []),
    ].map((words) => agent.redact(words)),
  };
}

/** Adds what an agent says about its own setup. A complaint is worth knowing; the agent works anyway. */
export function withOwnCheck(finding: Finding, { has, complaints }: OwnCheck): Finding {
  const said = complaints.map((words) => l10n.t('Its own check: {0}', words));
  const detail = [finding.detail, ...has, ...said].join(' ');
  if (complaints.length === 0 || finding.state !== 'ok') return { ...finding, detail };
  return { ...finding, state: 'note', summary: l10n.t('{0}, with warnings', finding.summary), detail };
}

function skillWords(count: number): string {
  return count === 1 ? l10n.t('It has 1 skill.') : l10n.t('It has {0} skills.', count);
}

function hookWords(count: number): string {
  return count === 1 ? l10n.t('It runs 1 hook.') : l10n.t('It runs {0} hooks.', count);
}
