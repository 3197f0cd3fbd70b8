import { access, constants, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { compact } from '../../shared/values/decodeValue';
import { ignoresCase } from '../../disk/paths';
import { isRecord } from '../../shared/values/isRecord';
import { adapterOf, knownPrograms, type KnownProgram } from './knownPrograms';
import { searchedPlaces, type Searched } from './places';

/** A known program on this machine. */
export interface FoundProgram {
  readonly known: KnownProgram;
  /** The absolute path of the executable. */
  readonly path: string;
  /** The version, if its npm package was found. Programs are never started to ask them. */
  readonly version?: string;
}

/** The extensions of programs that Windows starts by their bare name, in its order. */
const windowsExtensions = ['.exe', '.cmd', '.bat'];

/**
 * Finds the known programs in the folders of PATH and in the usual places. Reads folders and starts nothing. Stops when
 * `signal` aborts, and resolves to what was found until then.
 */
export async function findPrograms(searched: Searched, signal: AbortSignal): Promise<readonly FoundProgram[]> {
  const places = searchedPlaces(searched);
  const found = new Map<string, FoundProgram>();
  const listed = new Map<string, ReadonlyMap<string, string>>();
  const keyOf = (name: string) => (ignoresCase(searched.platform) ? name.toLowerCase() : name);
  const search = async () => {
    await Promise.all(
      places.map(async (folder) => {
        const names = await readdir(folder).catch(() => []);
        listed.set(folder, new Map(names.map((name) => [keyOf(name), name])));
      }),
    );
    await Promise.all(
      knownPrograms.map(async (known) => {
        let program: FoundProgram | undefined;
        // An adapter speaks ACP, so it is the better one of both.
        for (const one of [...(known.adapters ?? []).map((adapter) => adapterOf(known, adapter)), known]) {
          program ??= await findOne(one, places, listed, searched.platform);
        }
        if (program) found.set(known.program, program);
      }),
    );
  };
  await Promise.race([search(), aborted(signal)]);
  // In the order of the table, whichever was found first.
  return knownPrograms.flatMap(({ program }) => found.get(program) ?? []);
}

async function findOne(
  known: KnownProgram,
  places: readonly string[],
  listed: ReadonlyMap<string, ReadonlyMap<string, string>>,
  platform: NodeJS.Platform,
): Promise<FoundProgram | undefined> {
  const names =
    platform === 'win32' ? windowsExtensions.map((extension) => known.program + extension) : [known.program];
  for (const folder of places) {
    for (const name of names) {
      const there = listed.get(folder)?.get(name);
      if (there === undefined) continue;
      const path = join(folder, there);
      if (!(await isProgram(path))) continue;
      const version = known.package === undefined ? undefined : await packageVersion(path, known.package);
      return { known, path, ...compact({ version }) };
    }
  }
  return undefined;
}

async function isProgram(path: string): Promise<boolean> {
  const entry = await stat(path).catch(() => undefined);
  if (!entry?.isFile()) return false;
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Reads the version from the package that a link leads into, or that is beside a shim of Windows. */
async function packageVersion(path: string, name: string): Promise<string | undefined> {
  const target = await realpath(path).catch(() => path);
  const candidates = [join(dirname(path), 'node_modules', name)];
  for (let folder = dirname(target), steps = 0; steps < 6 && folder !== dirname(folder); steps += 1) {
    candidates.push(folder);
    folder = dirname(folder);
  }
  for (const folder of candidates) {
    const content = await readFile(join(folder, 'package.json'), 'utf8')
      .then(
        (text) => JSON.parse(text) as unknown,
        () => undefined,
      )
      .catch(() => undefined);
    if (isRecord(content) && content['name'] === name && typeof content['version'] === 'string') {
      return content['version'];
    }
  }
  return undefined;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
