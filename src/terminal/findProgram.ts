import { constants } from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import * as path from 'node:path';
import { SpawnError } from './spawnError';

/** Rejects with a `SpawnError` unless `cwd` is an accessible folder. */
export async function checkFolder(cwd: string): Promise<void> {
  let isDirectory: boolean;
  try {
    isDirectory = (await stat(cwd)).isDirectory();
  } catch {
    // Whatever the reason, the command can't run there.
    throw new SpawnError('ENOENT', `The folder "${cwd}" doesn't exist (ENOENT).`);
  }
  if (!isDirectory) throw new SpawnError('ENOTDIR', `"${cwd}" isn't a folder (ENOTDIR).`);
  if (!(await allows(cwd, constants.X_OK))) {
    throw new SpawnError('EACCES', `The folder "${cwd}" can't be accessed (EACCES).`);
  }
}

/**
 * Resolves to the absolute path of a program: relative to `cwd` if `file` includes a folder, or the first match on the `PATH` of `env`.
 * Rejects with a `SpawnError` that gives the reason. A pseudoterminal can't report this, because it forks first and fails later.
 */
export async function findProgram(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  platform: NodeJS.Platform = process.platform,
): Promise<string> {
  if (program === '' || program.includes('\0')) throw new SpawnError('ENOENT', 'The command is empty (ENOENT).');
  const windows = platform === 'win32';
  let forbidden = false;
  for (const candidate of candidates(program, cwd, env, windows)) {
    const found = await inspect(candidate, windows);
    if (found === 'runnable') {
      if (!windows) await checkInterpreter(program, candidate);
      return candidate;
    }
    if (found === 'forbidden') forbidden = true;
  }
  if (forbidden) throw new SpawnError('EACCES', `"${program}" isn't executable (EACCES).`);
  throw new SpawnError('ENOENT', `The program "${program}" wasn't found (ENOENT).`);
}

function candidates(
  program: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  windows: boolean,
): readonly string[] {
  const hasFolder = windows ? /[\\/]|^[a-z]:/iu.test(program) : program.includes('/');
  const folders = hasFolder ? [''] : searchPath(env, windows);
  const places = folders.map((folder) => path.resolve(cwd, folder, program));
  if (!windows) return places;
  // PATHEXT also lists scripts of other programs, which can't be started themselves.
  const extensions = (lookUp(env, 'PATHEXT') ?? usualExtensions.join(';'))
    .split(';')
    .map((part) => part.trim())
    .filter((part) => usualExtensions.includes(part.toUpperCase()));
  const hasExtension = usualExtensions.some((extension) => program.toUpperCase().endsWith(extension));
  return places.flatMap((place) => [
    ...(hasExtension ? [place] : []),
    ...extensions.map((extension) => place + extension),
  ]);
}

/** The extensions of programs that Windows and `cmd.exe` can start. */
const usualExtensions: readonly string[] = ['.COM', '.EXE', '.BAT', '.CMD'];

function searchPath(env: Readonly<Record<string, string>>, windows: boolean): readonly string[] {
  const value = windows ? lookUp(env, 'PATH') : env['PATH'];
  // Windows searches the current folder first. Here it is searched last, so that no file in the workspace can pass for a
  // program such as git. On other systems, an empty entry means the current folder.
  if (windows) {
    const folders = (value ?? '').split(';').map((part) => part.trim().replace(/^"(.*)"$/u, '$1'));
    return [...folders.filter((folder) => path.isAbsolute(folder)), ''];
  }
  // The folders that execvp searches if the variable is missing.
  return value === undefined ? ['/bin', '/usr/bin'] : value.split(':');
}

/** Looks up a variable. Names are case-insensitive on Windows. */
export function lookUp(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

async function inspect(file: string, windows: boolean): Promise<'runnable' | 'forbidden' | 'missing'> {
  try {
    if (!(await stat(file)).isFile()) return 'forbidden';
  } catch {
    // The file is missing, or its folder can't be searched. The next folder may have it.
    return 'missing';
  }
  return windows || (await allows(file, constants.X_OK)) ? 'runnable' : 'forbidden';
}

/** Checks the interpreter in a script's first line. If it is missing, the script fails like a missing program, but later. */
async function checkInterpreter(program: string, file: string): Promise<void> {
  const interpreter = /^#! *(\/\S+)/u.exec(await firstBytes(file))?.[1];
  if (interpreter !== undefined && !(await allows(interpreter, constants.X_OK))) {
    throw new SpawnError('ENOENT', `"${program}" needs "${interpreter}", which wasn't found (ENOENT).`);
  }
}

async function firstBytes(file: string): Promise<string> {
  try {
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(256), 0, 256, 0);
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    // A program can be executable but unreadable.
    return '';
  }
}

async function allows(file: string, mode: number): Promise<boolean> {
  try {
    await access(file, mode);
    return true;
  } catch {
    // The check failed, so the answer is no.
    return false;
  }
}
