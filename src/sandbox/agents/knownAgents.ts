import { isAbsolute, join } from 'node:path';

/** What is known about an agent: where it keeps its own files, and which hosts its models are at. */
export interface KnownAgent {
  readonly name: string;
  /** File names of its program, without an ending. */
  readonly programs: readonly string[];
  /** Names of the packages that it comes in, of npm or PyPI. */
  readonly packages: readonly string[];
  /** Its own files and folders, below the home folder. */
  readonly state: readonly string[];
  /** Variables that move its folder. Each has the path of the agent's folder in the folder that it contains. */
  readonly stateVariables?: Readonly<Record<string, string>>;
  /** Variables with which it leaves out its own sandbox, which can't be made inside of another one. */
  readonly withoutOwnSandbox?: Readonly<Record<string, string>>;
  readonly hosts: readonly string[];
  /** Hosts at which it looks for updates at each start. It can't update itself in a sandbox. */
  readonly updateHosts?: readonly string[];
}

/** The folders of programs that follow the XDG rules. */
const xdg = (name: string) => [`.config/${name}`, `.local/share/${name}`, `.local/state/${name}`, `.cache/${name}`];

/** Found by running them. Agents that aren't here can write only what every agent can. */
export const knownAgents: readonly KnownAgent[] = [
  {
    name: 'claude',
    programs: ['claude', 'claude-agent-acp', 'claude-code-acp'],
    packages: [
      '@agentclientprotocol/claude-agent-acp',
      '@zed-industries/claude-agent-acp',
      '@zed-industries/claude-code-acp',
      '@anthropic-ai/claude-code',
    ],
    state: ['.claude', '.claude.json', '.cache/claude-cli-nodejs', '.local/share/claude', '.local/state/claude'],
    stateVariables: { CLAUDE_CONFIG_DIR: '' },
    hosts: ['api.anthropic.com:443', 'console.anthropic.com:443', 'platform.claude.com:443', 'claude.ai:443'],
  },
  {
    name: 'codex',
    programs: ['codex', 'codex-acp'],
    packages: ['@agentclientprotocol/codex-acp', '@zed-industries/codex-acp', '@openai/codex'],
    state: ['.codex'],
    stateVariables: { CODEX_HOME: '' },
    withoutOwnSandbox: { INITIAL_AGENT_MODE: 'agent-full-access' },
    hosts: ['api.openai.com:443', 'chatgpt.com:443', 'auth.openai.com:443'],
    updateHosts: ['api.github.com:443'],
  },
  {
    name: 'gemini',
    programs: ['gemini'],
    packages: ['@google/gemini-cli'],
    state: ['.gemini'],
    stateVariables: { GEMINI_CLI_HOME: '.gemini' },
    hosts: [
      'generativelanguage.googleapis.com:443',
      'cloudcode-pa.googleapis.com:443',
      'oauth2.googleapis.com:443',
      'www.googleapis.com:443',
      'accounts.google.com:443',
    ],
  },
  {
    name: 'qwen',
    programs: ['qwen', 'qwen-code'],
    packages: ['@qwen-code/qwen-code'],
    state: ['.qwen'],
    stateVariables: { QWEN_HOME: '', QWEN_RUNTIME_DIR: '' },
    hosts: ['chat.qwen.ai:443', 'portal.qwen.ai:443', 'dashscope.aliyuncs.com:443', 'dashscope-intl.aliyuncs.com:443'],
  },
  {
    name: 'opencode',
    programs: ['opencode'],
    packages: [
      'opencode-ai',
      ...['linux', 'darwin', 'windows'].flatMap((system) => [`opencode-${system}-x64`, `opencode-${system}-arm64`]),
    ],
    state: [...xdg('opencode'), '.opencode'],
    hosts: ['opencode.ai:443', 'models.dev:443'],
  },
  {
    name: 'kilo',
    programs: ['kilo', 'kilocode'],
    packages: ['@kilocode/cli'],
    state: [...xdg('kilo'), '.kilocode'],
    hosts: ['api.kilo.ai:443', 'models.dev:443'],
  },
  {
    name: 'copilot',
    programs: ['copilot'],
    packages: ['@github/copilot'],
    state: ['.copilot', '.config/github-copilot'],
    stateVariables: { COPILOT_HOME: '' },
    hosts: ['api.githubcopilot.com:443', '*.githubcopilot.com:443', 'api.github.com:443', 'github.com:443'],
  },
  { name: 'cline', programs: ['cline'], packages: ['cline'], state: ['.cline'], hosts: ['api.cline.bot:443'] },
  { name: 'goose', programs: ['goose'], packages: [], state: xdg('goose'), hosts: [] },
  {
    name: 'nanocoder',
    programs: ['nanocoder'],
    packages: ['@nanocollective/nanocoder'],
    state: xdg('nanocoder'),
    hosts: [],
  },
  {
    name: 'kimi',
    programs: ['kimi', 'kimi-cli'],
    packages: ['kimi-cli'],
    state: ['.kimi'],
    hosts: ['api.kimi.com:443', 'api.moonshot.ai:443', 'api.moonshot.cn:443'],
  },
  {
    name: 'cursor',
    programs: ['cursor-agent'],
    packages: [],
    state: ['.cursor', '.config/cursor'],
    hosts: ['api2.cursor.sh:443', '*.cursor.sh:443'],
  },
  {
    name: 'auggie',
    programs: ['auggie'],
    packages: ['@augmentcode/auggie'],
    state: ['.augment'],
    hosts: ['*.augmentcode.com:443'],
  },
  { name: 'droid', programs: ['droid'], packages: [], state: ['.factory'], hosts: ['*.factory.ai:443'] },
  {
    name: 'vibe',
    programs: ['vibe', 'vibe-acp'],
    packages: ['mistral-vibe'],
    state: ['.vibe'],
    hosts: ['api.mistral.ai:443'],
  },
  {
    name: 'pi',
    programs: ['pi', 'pi-acp'],
    packages: ['pi-acp', '@mariozechner/pi-coding-agent'],
    state: ['.pi'],
    hosts: [],
  },
];

/** Variables that move the folders of programs that follow the XDG rules. */
const xdgVariables = {
  XDG_CONFIG_HOME: '.config',
  XDG_DATA_HOME: '.local/share',
  XDG_STATE_HOME: '.local/state',
  XDG_CACHE_HOME: '.cache',
} as const;

/** Returns where an agent keeps its own files and folders, by default and as an environment moves them. */
export function stateOf(agent: KnownAgent, home: string, env: Readonly<Record<string, string>>): string[] {
  return [...agent.state.map((path) => join(home, path)), ...movedState(agent, env)];
}

/** Returns where an environment moves an agent's own files and folders to. */
export function movedState(agent: KnownAgent, env: Readonly<Record<string, string>>): string[] {
  const moved = (variable: string, path: string) => {
    const folder = env[variable];
    return folder !== undefined && isAbsolute(folder) ? [join(folder, path)] : [];
  };
  return [
    ...Object.entries(agent.stateVariables ?? {}).flatMap(([variable, path]) => moved(variable, path)),
    ...Object.entries(xdgVariables).flatMap(([variable, folder]) =>
      agent.state
        .filter((path) => path.startsWith(`${folder}/`))
        .flatMap((path) => moved(variable, path.slice(folder.length + 1))),
    ),
  ];
}
