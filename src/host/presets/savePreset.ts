import * as l10n from '@vscode/l10n';
import { choicesOf } from '../../agent/spec/presetChoices';
import { presetName } from '../../agent/spec/preset';
import { withPreset } from '../../agent/spec/presetList';
import type { Session } from '../../session/session';
import { compact } from '../../shared/values/decodeValue';
import { modelName } from '../../shared/transcript/modelName';
import { worktreeOf } from '../../worktree/made/worktreeOf';
import type { AgentCatalog } from '../agents/agentCatalog';
import { askModal, showInformation } from '../ui/notifications';
import { askText } from '../ui/quickInput';
import { writePresets, type PresetSettings } from './writePresets';

export interface SaveNeeds {
  readonly pool: { runningAgentOf(session: Session): { redact(text: string): string } | undefined };
  readonly catalog: Pick<AgentCatalog, 'find' | 'findByName'>;
  readonly settings: PresetSettings;
}

/** Saves a session's agent, model, mode, other options, sandbox, and whether it has its own worktree, as a preset of the user, under a name that the user types. */
export async function savePreset(needs: SaveNeeds, session: Session): Promise<void> {
  const { catalog, settings, pool } = needs;
  const { agentId, agentName, configOptions, sandbox, cwd } = session.transcript.view;
  const usesWorktree = worktreeOf(cwd) && true;
  const { choices, omitted } = choicesOf(
    configOptions.filter((option) => !isSecret(pool, session, option.currentValue)),
  );
  const value = [agentName, modelName(session.transcript.view)].filter((text) => text !== undefined).join(' · ');
  const typed = await askText({ value, prompt: l10n.t('Preset name') });
  const name = typed?.trim() ?? '';
  if (name === '') return;
  const replace = l10n.t('Replace');
  const isTaken = presetNames(settings.presetsOfUser).has(name);
  const question = l10n.t('Replace the preset “{0}”?', name);
  if (isTaken && (await askModal(question, { items: [replace] })) !== replace) return;
  // The name reads better in the settings, if it's the name of this agent alone.
  const spec = catalog.find(agentId);
  const agent = spec && catalog.findByName(spec.name)?.id === agentId ? spec.name : agentId;
  if (
    !(await writePresets(settings, (present) =>
      withPreset(present, { name, agent, ...choices, ...compact({ sandbox, usesWorktree }) }),
    ))
  )
    return;
  const words =
    omitted.length === 0
      ? l10n.t('Saved the preset “{0}”.', name)
      : l10n.t(
          'Saved the preset “{0}” without “{1}”, because {2} doesn’t ask for permission in it.',
          name,
          omitted.join(', '),
          agentName,
        );
  void showInformation(words);
}

function presetNames(value: unknown): ReadonlySet<string | undefined> {
  return new Set(Array.isArray(value) ? value.map(presetName) : []);
}

/** Settings are shared and synchronized, so they get nothing that logs would hide. */
function isSecret(pool: SaveNeeds['pool'], session: Session, value: string | boolean): boolean {
  const agent = pool.runningAgentOf(session);
  return typeof value === 'string' && agent !== undefined && agent.redact(value) !== value;
}
