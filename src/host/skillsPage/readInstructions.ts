import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import { readFrontMatter } from '../../shared/text/frontMatter';
import type { AgentInstructions, InstructionFile, ListedSkill } from '../../shared/pages/skillsPage';
import { showHiddenOnOneLine } from '../../shared/text/visibleText';
import { fileKey, isInside } from '../base/filePaths';
import { diskFiles } from '../workspaceFiles/diskFile';
import { knownAgents, replacementOf, type AgentFiles, type KnownAgent } from './agentFiles';

/** Maximum number of files or skills that are read in one folder, and of bytes of a skill. */
const mostInFolder = 100;
const mostBytes = 256 * 1024;
const descriptionLength = 300;

/** What agents read in a folder. */
export interface FolderInstructions {
  readonly agents: readonly AgentInstructions[];
  readonly skills: readonly ListedSkill[];
}

/** Finds the files and skills in a folder that known agents read. */
export async function readInstructions(root: string): Promise<FolderInstructions> {
  const real = await realpath(root);
  const paths = new Set(knownAgents.flatMap(({ files }) => files.map(({ path }) => path)));
  const there = new Map<string, { readonly link: string | undefined }>();
  await Promise.all(
    [...paths].map(async (path) => {
      const found = await look(join(real, path));
      if (found) there.set(path, found);
    }),
  );
  const agents = await Promise.all(knownAgents.map((agent) => readAgent(agent, real, there)));
  return { agents, skills: await readSkills(real, (path) => there.has(path)) };
}

async function readAgent(
  { id, name, main, files }: KnownAgent,
  root: string,
  there: ReadonlyMap<string, { readonly link: string | undefined }>,
): Promise<AgentInstructions> {
  const instructions = files.filter(({ kind }) => kind !== 'skills');
  const found = await Promise.all(
    instructions.map(async (file): Promise<readonly InstructionFile[]> => {
      const one = there.get(file.path);
      if (!one) return [];
      if (file.kind === 'rules') return rulesIn(root, file);
      const replacedBy = replacementOf(file, (path) => there.has(path));
      return [compact({ path: file.path, replacedBy, link: one.link })];
    }),
  );
  const present = found.flat();
  const isRead = instructions.some(({ kind, path }) => kind === 'file' && there.has(path));
  const others = instructions
    .filter(({ path }) => !there.has(path) && (isRead || path !== main))
    .map(({ kind, path, suffix = '.md' }) => (kind === 'rules' ? `${path}/*${suffix}` : path));
  return { id, name, files: present, others, ...(isRead ? {} : { missing: main }) };
}

async function rulesIn(root: string, { path, suffix = '.md' }: AgentFiles): Promise<readonly InstructionFile[]> {
  const names = await readdir(join(root, path)).catch(() => []);
  return names
    .filter((name) => name.endsWith(suffix))
    .sort()
    .slice(0, mostInFolder)
    .map((name) => ({ path: `${path}/${name}` }));
}

/** Resolves to whether a path exists, and what it is a link to. */
async function look(path: string): Promise<{ readonly link: string | undefined } | undefined> {
  try {
    await stat(path);
    const isLink = (await lstat(path)).isSymbolicLink();
    return { link: isLink ? showHiddenOnOneLine(await readlink(path)) : undefined };
  } catch {
    return undefined;
  }
}

async function readSkills(root: string, exists: (path: string) => boolean): Promise<readonly ListedSkill[]> {
  const readers = new Map<string, string[]>();
  for (const { name, files } of knownAgents) {
    for (const { kind, path } of files) {
      if (kind === 'skills' && exists(path)) readers.set(path, [...(readers.get(path) ?? []), name]);
    }
  }
  const skills = await Promise.all(
    [...readers].map(async ([path, agents]) => {
      const names = await readdir(join(root, path)).catch(() => []);
      const found = await Promise.all(
        names
          .sort()
          .slice(0, mostInFolder)
          .map((name) => readSkill(root, `${path}/${name}`, name, agents)),
      );
      return found.filter((skill) => skill !== undefined);
    }),
  );
  return skills.flat();
}

/** Reads the name and description of a skill. A link may lead to another place in the folder, but not out of it. */
async function readSkill(
  root: string,
  folder: string,
  name: string,
  agents: readonly string[],
): Promise<ListedSkill | undefined> {
  const path = `${folder}/SKILL.md`;
  try {
    const real = await realpath(join(root, path));
    if (!isInside(fileKey(root), fileKey(real))) return undefined;
    const bytes = (await diskFiles.read(real, mostBytes))?.bytes;
    const { values } = readFrontMatter(new TextDecoder().decode(bytes));
    const shown = (text: string) => {
      const line = showHiddenOnOneLine(text);
      return line.length > descriptionLength ? `${line.slice(0, descriptionLength)}…` : line;
    };
    return {
      path,
      name: shown(values.get('name') || name),
      description: shown(values.get('description') ?? ''),
      agents,
    };
  } catch {
    // Not a skill, or one that can't be read.
    return undefined;
  }
}
