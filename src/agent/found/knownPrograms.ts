import { compareVersions } from '../registry/compareVersions';

/** A program that may be on the user's machine, and how Parley can talk to it. */
export interface KnownProgram {
  /** The name of the executable, without an extension. */
  readonly program: string;
  readonly name: string;
  /** The ids of the agent in the registry, the current one first. */
  readonly ids: readonly [string, ...string[]];
  /** The npm package that contains the program, to find its version. */
  readonly package?: string;
  readonly speaks: Speaks;
  /** Programs that speak ACP for this one, the current one first. Someone may have installed one globally. */
  readonly adapters?: readonly Adapter[];
}

/** An adapter's program, started without arguments, and its npm package. */
export interface Adapter {
  readonly program: string;
  readonly package: string;
}

/**
 * How a program speaks ACP. `arguments` does so itself when started with the arguments for its version. `adapter`
 * doesn't; the agent of the registry uses its login.
 */
export type Speaks =
  | { readonly how: 'arguments'; readonly args: (version: string | undefined) => readonly string[] }
  | { readonly how: 'adapter' };

const adapter: Speaks = { how: 'adapter' };
const by = (...args: readonly string[]): Speaks => ({ how: 'arguments', args: () => args });
/** Versions before `since` have the flag under its experimental name. An unknown version counts as a current one. */
const acpSince = (since: string): Speaks => ({
  how: 'arguments',
  args: (version) => [version !== undefined && compareVersions(version, since) < 0 ? '--experimental-acp' : '--acp'],
});

/** The programs that Parley looks for, in the order it offers them. */
export const knownPrograms: readonly KnownProgram[] = [
  {
    program: 'claude',
    name: 'Claude',
    ids: ['claude-acp', 'claude-code-acp'],
    speaks: adapter,
    adapters: [
      { program: 'claude-agent-acp', package: '@agentclientprotocol/claude-agent-acp' },
      { program: 'claude-code-acp', package: '@zed-industries/claude-code-acp' },
    ],
  },
  {
    program: 'codex',
    name: 'Codex',
    ids: ['codex-acp'],
    speaks: adapter,
    adapters: [{ program: 'codex-acp', package: '@agentclientprotocol/codex-acp' }],
  },
  {
    program: 'gemini',
    name: 'Gemini CLI',
    ids: ['gemini'],
    package: '@google/gemini-cli',
    speaks: acpSince('0.33.0'),
  },
  {
    program: 'copilot',
    name: 'GitHub Copilot CLI',
    ids: ['github-copilot-cli', 'github-copilot'],
    package: '@github/copilot',
    speaks: by('--acp'),
  },
  { program: 'opencode', name: 'OpenCode', ids: ['opencode'], package: 'opencode-ai', speaks: by('acp') },
  { program: 'goose', name: 'Goose', ids: ['goose'], speaks: by('acp') },
  {
    program: 'qwen',
    name: 'Qwen Code',
    ids: ['qwen-code'],
    package: '@qwen-code/qwen-code',
    speaks: acpSince('0.9.0'),
  },
  { program: 'cursor-agent', name: 'Cursor', ids: ['cursor'], speaks: by('acp') },
  { program: 'kimi', name: 'Kimi CLI', ids: ['kimi'], speaks: by('acp') },
  {
    program: 'auggie',
    name: 'Auggie CLI',
    ids: ['auggie'],
    package: '@augmentcode/auggie',
    speaks: by('--acp'),
  },
  { program: 'droid', name: 'Factory Droid', ids: ['factory-droid'], speaks: by('exec', '--output-format', 'acp') },
  { program: 'vibe-acp', name: 'Mistral Vibe', ids: ['mistral-vibe'], speaks: by() },
  { program: 'qodercli', name: 'Qoder CLI', ids: ['qoder'], package: '@qoder-ai/qodercli', speaks: by('--acp') },
  { program: 'kilo', name: 'Kilo', ids: ['kilo'], package: '@kilocode/cli', speaks: by('acp') },
  { program: 'cline', name: 'Cline', ids: ['cline'], package: 'cline', speaks: by('--acp') },
  {
    program: 'nanocoder',
    name: 'Nanocoder',
    ids: ['nanocoder'],
    package: '@nanocollective/nanocoder',
    speaks: by('--acp'),
  },
  { program: 'pi-acp', name: 'pi', ids: ['pi-acp'], package: 'pi-acp', speaks: by() },
  { program: 'junie', name: 'Junie', ids: ['junie', 'junie-acp'], speaks: by('--acp=true') },
  { program: 'kiro-cli', name: 'Kiro CLI', ids: ['kiro'], speaks: by('acp') },
  { program: 'stakpak', name: 'Stakpak', ids: ['stakpak'], speaks: by('acp') },
  { program: 'openhands', name: 'OpenHands', ids: ['openhands'], speaks: by('acp') },
];

/** Returns an adapter of a known program as a program that speaks ACP itself. */
export function adapterOf(known: KnownProgram, { program, package: name }: Adapter): KnownProgram {
  return { ...known, program, package: name, speaks: by() };
}

/** Returns the known program of an agent of the registry. */
export function programOf(id: string): KnownProgram | undefined {
  return knownPrograms.find(({ ids }) => ids.includes(id));
}
