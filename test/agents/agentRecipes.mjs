// @ts-check
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * How to install and start a real agent against a scripted model.
 * @typedef {object} AgentRecipe
 * @property {string} name in `parley.agents`
 * @property {string[]} packages exact npm packages
 * @property {string} program path inside the installed folder
 * @property {boolean} byNode whether Node runs the program
 * @property {string[]} args
 * @property {(home: string, url: string) => Record<string, string>} env
 * @property {(home: string, url: string) => Promise<void>} [prepare] writes settings files into the home folder
 */

/** @param {string} home @param {string} url */
const claudeEnvironment = (home, url) => ({
  ANTHROPIC_BASE_URL: url,
  ANTHROPIC_API_KEY: 'scripted-key',
  CLAUDE_CONFIG_DIR: join(home, '.claude'),
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_AUTOUPDATER: '1',
  ENABLE_TOOL_SEARCH: 'false',
  // As root in a container, it would offer a mode in which it refuses to run.
  IS_SANDBOX: '',
});

/** @type {Record<'claude' | 'claudeOld' | 'codex' | 'copilot' | 'gemini' | 'opencode' | 'qwen', AgentRecipe>} */
export const recipes = {
  claude: {
    name: 'Claude',
    packages: ['@agentclientprotocol/claude-agent-acp@0.100.0'],
    program: 'node_modules/.bin/claude-agent-acp',
    byNode: true,
    args: [],
    env: claudeEnvironment,
  },
  claudeOld: {
    name: 'Claude (old adapter)',
    packages: ['@zed-industries/claude-code-acp@0.16.2'],
    program: 'node_modules/.bin/claude-code-acp',
    byNode: true,
    args: [],
    env: claudeEnvironment,
  },
  codex: {
    name: 'Codex',
    packages: ['@agentclientprotocol/codex-acp@2.6.0'],
    program: 'node_modules/.bin/codex-acp',
    byNode: true,
    args: [],
    env: (home) => ({
      // It doesn't remove its temporary files. It refuses to put its sandbox's program where they are.
      TMPDIR: join(home, 'tmp'),
      CODEX_HOME: join(home, '.codex'),
      SCRIPTED_KEY: 'scripted-key',
      NO_BROWSER: '1',
    }),
    async prepare(home, url) {
      for (const name of ['.codex', 'tmp']) await mkdir(join(home, name), { recursive: true });
      // With an unknown model, Codex offers no tool that edits files.
      const config = `model = "gpt-5.5"
model_provider = "scripted"
sandbox_mode = "danger-full-access"
[model_providers.scripted]
name = "Scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
request_max_retries = 0
stream_max_retries = 0
supports_websockets = false
`;
      await writeFile(join(home, '.codex', 'config.toml'), config);
    },
  },
  gemini: {
    name: 'Gemini',
    packages: ['@google/gemini-cli@0.61.0'],
    program: 'node_modules/.bin/gemini',
    byNode: true,
    args: ['--acp', '--model', 'gemini-2.5-pro'],
    env: (_home, url) => ({ GEMINI_API_KEY: 'scripted-key', GOOGLE_GEMINI_BASE_URL: url }),
    async prepare(home) {
      await mkdir(join(home, '.gemini'), { recursive: true });
      const settings = {
        security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
        general: { disableAutoUpdate: true, disableUpdateNag: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
      };
      await writeFile(join(home, '.gemini', 'settings.json'), JSON.stringify(settings));
    },
  },
  opencode: {
    name: 'opencode',
    // The package for this platform, because the wrapper package needs an install script.
    packages: ['opencode-linux-x64@1.18.33'],
    program: 'node_modules/opencode-linux-x64/bin/opencode',
    byNode: false,
    args: ['acp'],
    env: (_home, url) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'Scripted',
            options: { baseURL: `${url}/v1`, apiKey: 'scripted-key' },
            models: {
              'scripted-model': { name: 'Scripted model', tool_call: true, limit: { context: 128000, output: 8000 } },
            },
          },
        },
        model: 'scripted/scripted-model',
        small_model: 'scripted/scripted-model',
        permission: { edit: 'ask', bash: 'ask' },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    }),
  },
  qwen: {
    name: 'Qwen',
    packages: ['@qwen-code/qwen-code@0.24.4'],
    program: 'node_modules/.bin/qwen',
    byNode: true,
    args: ['--acp'],
    env: (home, url) => ({
      TMPDIR: home,
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'scripted-key',
      OPENAI_MODEL: 'scripted-model',
    }),
  },
  copilot: {
    name: 'Copilot',
    packages: ['@github/copilot@1.0.102'],
    program: 'node_modules/@github/copilot/npm-loader.js',
    byNode: true,
    args: ['--acp', '--no-auto-update'],
    env: (home, url) => ({
      TMPDIR: home,
      COPILOT_HOME: join(home, '.copilot'),
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_TYPE: 'openai',
      COPILOT_PROVIDER_API_KEY: 'scripted-key',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_OFFLINE: 'true',
    }),
  },
};
