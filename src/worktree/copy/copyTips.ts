import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What the repository in a copy has names for, as far as it can be told without git: it's the agent's. */
export interface CopyTips {
  /** The commits of its branches, by name. */
  readonly branches: ReadonlyMap<string, string>;
  /** The branch that is checked out, or the commit. */
  readonly head: { readonly branch: string } | { readonly commit: string } | undefined;
  /** Everything that something there refers to, also what was there before. */
  readonly ids: ReadonlySet<string>;
}

const idPattern = /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/;
/** How much is read: more is not what git writes. */
const mostFiles = 20_000;
const mostBytes = 64 * 1024 ** 2;

/** Reads the references of the repository in a copy. Starts no program, follows no link, and waits for no pipe. */
export async function copyTips(files: string): Promise<CopyTips> {
  const git = join(files, '.git');
  const refs = new Map<string, string>();
  const ids = new Set<string>();
  if (!(await isFolder(git))) return { branches: refs, head: undefined, ids };
  for (const line of (await readPlain(join(git, 'packed-refs'))).split('\n')) {
    const [id = '', name = ''] = line.split(' ');
    if (idPattern.test(id) && name.startsWith('refs/')) refs.set(name, id);
  }
  for (const [name, text] of await filesBelow(git, 'refs')) {
    if (idPattern.test(text.trim())) refs.set(name, text.trim());
  }
  for (const [, text] of await filesBelow(git, 'logs')) {
    for (const id of text.matchAll(/^[0-9a-f]+ ([0-9a-f]{40,64}) /gm)) ids.add(id[1] ?? '');
  }
  const names = await readdir(git).catch(() => []);
  for (const name of names.filter((one) => /^(?:[A-Z_]*HEAD|MERGE_AUTOSTASH)$/.test(one))) {
    for (const line of (await readPlain(join(git, name))).split('\n')) ids.add(line.trim().split(/\s/)[0] ?? '');
  }
  for (const folder of ['rebase-merge', 'rebase-apply', 'worktrees']) {
    for (const [, text] of await filesBelow(git, folder)) ids.add(text.trim());
  }
  for (const id of refs.values()) ids.add(id);
  const head = (await readPlain(join(git, 'HEAD'))).trim();
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return {
    branches: new Map(
      [...refs].flatMap(([name, id]) => (name.startsWith('refs/heads/') ? [[name.slice(11), id] as const] : [])),
    ),
    head: branch !== undefined ? { branch } : idPattern.test(head) ? { commit: head } : undefined,
    ids: new Set([...ids].filter((id) => idPattern.test(id) && !/^0+$/.test(id))),
  };
}

async function isFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stat) => stat.isDirectory(),
    () => false,
  );
}

/** Reads the files below a folder of git, by their names there. */
async function filesBelow(git: string, top: string): Promise<readonly (readonly [string, string])[]> {
  const found: (readonly [string, string])[] = [];
  const waiting = [top];
  for (let at = waiting.pop(); at !== undefined && found.length < mostFiles; at = waiting.pop()) {
    if (!(await isFolder(join(git, at)))) continue;
    for (const entry of await readdir(join(git, at), { withFileTypes: true }).catch(() => [])) {
      const name = `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(name);
      else if (entry.isFile()) found.push([name, await readPlain(join(git, name))]);
    }
  }
  return found;
}

/** Reads a text. Empty if it isn't an ordinary file. */
async function readPlain(path: string): Promise<string> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => undefined);
  if (!file) return '';
  try {
    const stat = await file.stat();
    return stat.isFile() && stat.size <= mostBytes ? await file.readFile('utf8') : '';
  } catch {
    // It has just changed.
    return '';
  } finally {
    await file.close();
  }
}
