import type { PromptListing } from './prompts';

/** A file with instructions or rules that exists. */
export interface InstructionFile {
  /** Relative to the folder, with slashes. */
  readonly path: string;
  /** The file that the agent reads instead. */
  readonly replacedBy?: string;
  /** What the file is a link to. */
  readonly link?: string;
}

/** What an agent reads in a folder. */
export interface AgentInstructions {
  readonly id: string;
  readonly name: string;
  readonly files: readonly InstructionFile[];
  /** The file to create if none of its instructions exists. */
  readonly missing?: string;
  /** What else it reads if it exists. */
  readonly others: readonly string[];
}

/** A skill that agents find in a folder. */
export interface ListedSkill {
  /** Its file, relative to the folder. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  /** The names of the agents that find it there. */
  readonly agents: readonly string[];
}

/** A prompt's file that isn't offered, and why. */
export interface RefusedPrompt {
  readonly name: string;
  readonly reason: string;
}

/** Everything on the page. */
export interface SkillsShown {
  /** The names of the workspace folders, and which of them is shown. */
  readonly folders: readonly string[];
  readonly folder: number;
  readonly agents: readonly AgentInstructions[];
  readonly skills: readonly ListedSkill[];
  readonly prompts: readonly PromptListing[];
  readonly refused: readonly RefusedPrompt[];
}

/** Messages from the extension host to the page of skills, rules, and prompts. */
export type ToSkillsPage = { readonly type: 'skills'; readonly shown: SkillsShown };

/** Messages from the page to the extension host. */
export type FromSkillsPage =
  | { readonly type: 'setFolder'; readonly folder: number }
  /** Opens a file of the folder that the page shows. */
  | { readonly type: 'openFile'; readonly path: string }
  /** Creates the missing file of an agent. */
  | { readonly type: 'createFrom'; readonly agent: string }
  | { readonly type: 'usePrompt'; readonly id: string }
  | { readonly type: 'openPrompt'; readonly id: string }
  | { readonly type: 'newPrompt' };
