import type { ProviderView, ToProvidersPage } from '../../src/shared/modelProviders';

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
