/** Files that an agent reads in the folder of a session. */
export interface AgentFiles {
  readonly kind: 'file' | 'rules' | 'skills';
  /** A file, or a folder: of rules as Markdown files, or of skills, each in a folder of its own. */
  readonly path: string;
  /** The file isn't read if one of these exists. */
  readonly unless?: readonly string[];
  /** How the names of rules end, if not in `.md`. */
  readonly suffix?: string;
}

export interface KnownAgent {
  readonly id: string;
  readonly name: string;
  /** The version that the table was checked with. */
  readonly version: string;
  /** The file to create if the agent has no instructions. */
  readonly main: string;
  /** Whether a line with `@` and a path includes another file. */
  readonly takesImports: boolean;
  readonly files: readonly AgentFiles[];
}

/**
 * What known agents read in a folder. `test/agents/agentFiles.test.ts` runs each of them with a marker in every file of
 * this table, and looks for the markers in what the model gets.
 */
export const knownAgents: readonly KnownAgent[] = [
  {
    id: 'claude',
    name: 'Claude',
    version: '0.100.0',
    main: 'CLAUDE.md',
    takesImports: true,
    files: [
      { kind: 'file', path: 'CLAUDE.md' },
      { kind: 'file', path: '.claude/CLAUDE.md' },
      { kind: 'file', path: 'CLAUDE.local.md' },
      { kind: 'file', path: 'AGENTS.md', unless: ['CLAUDE.md', '.claude/CLAUDE.md', 'CLAUDE.local.md'] },
      { kind: 'rules', path: '.claude/rules' },
      { kind: 'skills', path: '.claude/skills' },
    ],
  },
  {
    id: 'codex',
    name: 'Codex',
    version: '2.6.0',
    main: 'AGENTS.md',
    takesImports: false,
    files: [
      { kind: 'file', path: 'AGENTS.override.md' },
      { kind: 'file', path: 'AGENTS.md', unless: ['AGENTS.override.md'] },
      { kind: 'skills', path: '.agents/skills' },
      { kind: 'skills', path: '.codex/skills' },
    ],
  },
  {
    id: 'gemini',
    name: 'Gemini',
    version: '0.61.0',
    main: 'GEMINI.md',
    takesImports: true,
    files: [
      { kind: 'file', path: 'GEMINI.md' },
      { kind: 'skills', path: '.agents/skills' },
      { kind: 'skills', path: '.gemini/skills' },
    ],
  },
  {
    id: 'opencode',
    name: 'opencode',
    version: '1.18.33',
    main: 'AGENTS.md',
    takesImports: false,
    files: [
      { kind: 'file', path: 'AGENTS.md' },
      { kind: 'file', path: 'CLAUDE.md', unless: ['AGENTS.md'] },
      { kind: 'file', path: 'CONTEXT.md', unless: ['AGENTS.md', 'CLAUDE.md'] },
      { kind: 'skills', path: '.agents/skills' },
      { kind: 'skills', path: '.claude/skills' },
      { kind: 'skills', path: '.opencode/skill' },
      { kind: 'skills', path: '.opencode/skills' },
    ],
  },
  {
    id: 'qwen',
    name: 'Qwen',
    version: '0.24.4',
    main: 'QWEN.md',
    takesImports: true,
    files: [
      { kind: 'file', path: 'QWEN.md' },
      { kind: 'file', path: 'AGENTS.md' },
      { kind: 'rules', path: '.qwen/rules' },
      { kind: 'skills', path: '.agents/skills' },
      { kind: 'skills', path: '.qwen/skills' },
    ],
  },
  {
    id: 'copilot',
    name: 'Copilot',
    version: '1.0.102',
    main: 'AGENTS.md',
    takesImports: true,
    files: [
      { kind: 'file', path: '.github/copilot-instructions.md' },
      { kind: 'file', path: 'AGENTS.md' },
      { kind: 'file', path: 'CLAUDE.md' },
      { kind: 'file', path: 'GEMINI.md' },
      { kind: 'rules', path: '.github/instructions', suffix: '.instructions.md' },
      { kind: 'rules', path: '.claude/rules' },
      { kind: 'skills', path: '.agents/skills' },
      { kind: 'skills', path: '.claude/skills' },
      { kind: 'skills', path: '.github/skills' },
    ],
  },
];

/** Returns the file that an agent reads instead of this one, if there is one. */
export function replacementOf(file: AgentFiles, exists: (path: string) => boolean): string | undefined {
  return file.unless?.find((path) => exists(path));
}

/** The files at the top of a folder that can be imported or copied into another agent's. */
export const sourceFiles: readonly string[] = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', 'QWEN.md', 'CONTEXT.md'];
