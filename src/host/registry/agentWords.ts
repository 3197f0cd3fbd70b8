import * as l10n from '@vscode/l10n';
import { knownPrograms } from '../../agent/found/knownPrograms';

/** Returns who makes a known agent and what it needs, for someone who is choosing one. Undefined for other agents. */
export function agentWords(id: string): string | undefined {
  switch (id) {
    case 'claude-acp':
    case 'claude-code-acp':
      return l10n.t('Anthropic’s coding agent, needs a Claude account');
    case 'codex-acp':
      return l10n.t('OpenAI’s coding agent, needs a ChatGPT account or an API key');
    case 'gemini':
      return l10n.t('Google’s coding agent, needs a Google account');
    case 'github-copilot-cli':
    case 'github-copilot':
      return l10n.t('GitHub’s coding agent, needs a Copilot plan');
    case 'opencode':
      return l10n.t('Open-source agent that works with many models');
    case 'goose':
      return l10n.t('Block’s open-source agent that works with many models');
    case 'qwen-code':
      return l10n.t('Alibaba’s coding agent, needs a Qwen account or an API key');
    case 'cursor':
      return l10n.t('Cursor’s coding agent, needs a Cursor account');
    case 'kimi':
      return l10n.t('Moonshot AI’s coding agent, needs a Kimi account');
    case 'auggie':
      return l10n.t('Augment’s coding agent, needs an Augment account');
    case 'factory-droid':
      return l10n.t('Factory’s coding agent, needs a Factory account');
    case 'mistral-vibe':
      return l10n.t('Mistral’s coding agent, needs a Mistral API key');
    case 'qoder':
      return l10n.t('Qoder’s coding agent, needs a Qoder account');
    default:
      return undefined;
  }
}

/** Returns an agent's place among all: those that most people look for come first. */
export function agentRank(id: string): number {
  const place = knownPrograms.findIndex(({ ids }) => ids.includes(id));
  return place < 0 ? knownPrograms.length : place;
}
