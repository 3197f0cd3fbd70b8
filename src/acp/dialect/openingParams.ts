import type { AgentCapabilities } from '../decode/decodeAgent';
import type { OpeningSetup } from '../shape/openingSetup';

/** The part of the setup that every version sends in the same form; without servers. */
export function openingParams(
  can: AgentCapabilities | undefined,
  { cwd, additionalDirectories, systemPrompt }: Omit<OpeningSetup, 'mcpServers'>,
) {
  return {
    cwd,
    // Omitted means none, because agents don't remember the folders.
    ...(can?.additionalDirectories && additionalDirectories.length > 0
      ? { additionalDirectories: [...additionalDirectories] }
      : {}),
    ...(systemPrompt ? { systemPrompt: { ...systemPrompt, content: [...systemPrompt.content] } } : {}),
  };
}
