import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { AgentSpec } from '../../../agent/spec/agentSpec';
import type { AgentPool } from '../../../agent/pool/agentPool';
import type { Preset } from '../../../agent/spec/preset';
import type { NoticeText, Session } from '../../../session/session';
import { compact } from '../../../shared/values/decodeValue';
import type { AgentId } from '../../../shared/values/ids';
import { strictestMode, type SandboxMode } from '../../../shared/limits/sandboxMode';
import type { AgentCatalog } from '../../agents/agentCatalog';
import { holdsHome } from '../../base/filePaths';
import { currentFolder } from '../../base/folders';
import type { RememberedChoices } from './rememberedChoices';
import { worktreeOf } from '../../../worktree/made/worktreeOf';
import type { ScratchFolder } from './scratchFolder';

/** The services that creating a session needs. */
export interface CreateServices {
  readonly pool: AgentPool;
  readonly catalog: AgentCatalog;
  readonly scratch: ScratchFolder;
  readonly choices: Pick<RememberedChoices, 'usePreset'>;
}

/**
 * Opens a session with this preset or this agent, or with the default ones. Returns undefined if agents can't start
 * here.
 */
export function createSession(
  { pool, catalog, scratch, choices }: CreateServices,
  options: {
    readonly agent?: AgentId;
    readonly preset?: Preset;
    readonly cwd?: string;
    readonly sandbox?: SandboxMode;
    /** The session that this one continues, reviews, or works for: this one can't do more than its sandbox allows. */
    readonly like?: Pick<Session, 'transcript'>;
  } = {},
): Session | undefined {
  // The page shows why, so this only prevents the start.
  if (!vscode.workspace.isTrusted) return undefined;
  const preset = options.preset ?? (options.agent === undefined ? catalog.defaultPreset : undefined);
  const ofPreset = preset && catalog.findByName(preset.agent);
  const spec = ofPreset ?? ((options.agent !== undefined && catalog.find(options.agent)) || catalog.default);
  // What the user chose for this session precedes its preset.
  const chosen = options.sandbox ?? (ofPreset ? sandboxOfPreset(pool, preset, spec) : undefined);
  const least = options.like?.transcript.view.sandbox ?? 'off';
  const sandbox = least === 'off' ? chosen : strictestMode(chosen ?? pool.sandboxFor(spec), least);
  const cwd = options.cwd ?? currentFolder() ?? scratch.path;
  const session = pool.createSession({ spec, cwd, ...compact({ sandbox }) });
  const notice = folderNotice(session.transcript.view.cwd, scratch);
  if (notice) session.addNotice(notice);
  if (preset && ofPreset) choices.usePreset(session, preset);
  else if (preset) session.addNotice(noAgentNotice(preset, spec.name));
  const isApart =
    session.transcript.view.sandbox === 'ownCopy' || worktreeOf(session.transcript.view.cwd) !== undefined;
  if (ofPreset && preset.usesWorktree && !isApart) {
    session.addNotice(noWorktreeNotice(preset));
  }
  return session;
}

/** Returns what a preset's agent is held to. A preset of the workspace can only make it stricter. */
function sandboxOfPreset(
  pool: AgentPool,
  { sandbox, isOfWorkspace }: Preset,
  spec: AgentSpec,
): SandboxMode | undefined {
  if (sandbox === undefined || !isOfWorkspace) return sandbox;
  return strictestMode(sandbox, pool.sandboxFor(spec));
}

/** Returns the notice about a preset whose agent the user doesn't have. */
function noAgentNotice({ name, agent }: Preset, used: string): NoticeText {
  return {
    severity: 'warning',
    title: l10n.t('The preset “{0}” isn’t used', name),
    description: l10n.t('Its agent “{0}” isn’t one of your agents, so this session uses {1}.', agent, used),
  };
}

/** Returns the notice about a preset with a worktree, which takes questions that a first message doesn't wait for. */
function noWorktreeNotice({ name }: Preset): NoticeText {
  return {
    severity: 'warning',
    title: l10n.t('This session isn’t in a worktree'),
    description: l10n.t('To start “{0}” in a worktree, use “Parley: New Session in Worktree…”.', name),
  };
}

/** Returns the notice about a session's folder, if it needs one. */
function folderNotice(cwd: string, scratch: ScratchFolder): NoticeText | undefined {
  if (scratch.has(cwd)) {
    const description = l10n.t('This session uses an empty folder: {0}. Open a folder to work on its files.', cwd);
    return { severity: 'info', title: l10n.t('No folder is open'), description };
  }
  if (!holdsHome(cwd)) return undefined;
  const description = l10n.t(
    'Your home folder contains keys and settings, so each file needs your permission. Open a project folder instead.',
  );
  return { severity: 'warning', title: l10n.t('This session runs in your home folder'), description };
}
