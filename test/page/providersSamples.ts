import type { ProviderView, ToolsShown, ToolView, ToProvidersPage } from '../../src/shared/pages/modelProviders';

/** A provider as the host tells of it. */
export function provider(more: Partial<ProviderView> = {}): ProviderView {
  return {
    providerId: 'main',
    supported: ['anthropic', 'bedrock', 'vertex'],
    isRequired: false,
    isListed: true,
    current: { apiType: 'anthropic', baseUrl: 'https://api.anthropic.example' },
    stored: 'nothing',
    initial: { apiType: 'anthropic', baseUrl: 'https://api.anthropic.example', headerNames: [] },
    ...more,
  };
}

/** One that the user has set, with two headers. */
export const stored = provider({
  stored: 'config',
  current: { apiType: 'bedrock', baseUrl: 'http://gateway.forest.example:8080/v1' },
  initial: {
    apiType: 'bedrock',
    baseUrl: 'http://gateway.forest.example:8080/v1',
    headerNames: ['Authorization', 'X-Team'],
  },
});

/** The same, off now. */
export function turnedOff(view: ProviderView): ProviderView {
  const fields = Object.entries(view).filter(([name]) => name !== 'current');
  return { ...(Object.fromEntries(fields) as unknown as ProviderView), stored: 'off' };
}

/** What the host tells of an agent's providers. */
export function providers(...all: readonly ProviderView[]): ToProvidersPage {
  return { type: 'providers', agentName: 'Claude', shown: { state: 'ready', providers: all } };
}

const tool = (name: string, label: string, description: string, isDefault: boolean, isOn = isDefault): ToolView => {
  return { name, label, description, isDefault, isOn };
};

/** The editor's tools, some of them against their default. */
export function tools(more: Partial<ToolsShown> = {}): Extract<ToProvidersPage, { readonly type: 'tools' }> {
  const shown: ToolsShown = {
    isOn: true,
    isOffForAll: false,
    isSupported: true,
    tools: [
      tool('getDiagnostics', 'Problems', 'Lists errors and warnings, up to date after an edit.', true),
      tool('readBuffer', 'Unsaved text', 'Reads a file as you see it, with unsaved changes.', true),
      tool('findReferences', 'References', 'Finds all uses of a symbol.', true),
      tool('hover', 'Types and documentation', 'Reads the type and the documentation of a symbol.', true, false),
      tool(
        'renameSymbol',
        'Rename symbols',
        'Renames a symbol and all its uses. The change waits for review.',
        false,
        true,
      ),
      tool('runTask', 'Run tasks', 'Runs a task of the workspace and waits until it ends.', false),
    ],
    ...more,
  };
  return { type: 'tools', agentName: 'Claude', shown };
}
