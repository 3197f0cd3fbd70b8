import type { KnownPlaces, ProgramMemory } from '../../git/knownPrograms';
import { isRecord } from '../../shared/values/isRecord';
import { JsonFiles } from '../storage/jsonFiles';

/** Keeps what is known of repositories in a folder of the editor's own storage, for all windows. No agent writes there. */
export function programMemory(folder: string): ProgramMemory {
  const files = new JsonFiles(folder);
  const keep = (key: string, record: unknown) => files.write(JsonFiles.nameOf(key), JSON.stringify(record));
  return {
    load: async (): Promise<KnownPlaces> => {
      const records = await Promise.all((await files.names()).map((name) => files.read(name)));
      const known = records.filter(isRecord);
      return {
        folders: known.flatMap(({ folder: one }) => (typeof one === 'string' ? one : [])),
        prints: new Map(
          known.flatMap(({ place, prints }) =>
            typeof place === 'string' && isRecord(prints) ? [[place, textsIn(prints)] as const] : [],
          ),
        ),
      };
    },
    keepPrints: (place, prints) => keep(`place ${place}`, { place, prints }),
    keepFolder: (one) => keep(`folder ${one}`, { folder: one }),
  };
}

function textsIn(prints: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(prints).map(([name, print]) => [name, String(print)]));
}
