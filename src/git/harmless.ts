import type { Setting } from './settingsText';

/**
 * The settings that decide what git finds in a repository, and what a file's bytes are. None of them names a program, a file with settings, or
 * another machine. Everything else isn't passed on, also what a later git adds.
 */
export const harmless: ReadonlySet<string> = new Set([
  'core.abbrev',
  'core.attributesfile',
  'core.autocrlf',
  'core.bigfilethreshold',
  'core.checkroundtripencoding',
  'core.checkstat',
  'core.commitgraph',
  'core.compression',
  'core.eol',
  'core.excludesfile',
  'core.filemode',
  'core.hidedotfiles',
  'core.ignorecase',
  'core.ignorestat',
  'core.longpaths',
  'core.multipackindex',
  'core.precomposeunicode',
  'core.preloadindex',
  'core.protecthfs',
  'core.protectntfs',
  'core.repositoryformatversion',
  'core.sharedrepository',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.symlinks',
  'core.trustctime',
  'core.untrackedcache',
  'diff.algorithm',
  'extensions.compatobjectformat',
  'extensions.noop',
  'extensions.objectformat',
  'extensions.preciousobjects',
  'extensions.refstorage',
  'extensions.relativeworktrees',
  'index.recordendofindexentries',
  'index.recordoffsettable',
  'index.skiphash',
  'index.sparse',
  'index.version',
  'pack.packsizelimit',
]);

/** What says how a repository stores things, which only its own settings can say. */
const format = /^(?:extensions\.|core\.repositoryformatversion$)/;

/** Extensions that aren't passed on: git reads no second file of settings, and fetches nothing that is missing. */
const leftOut: ReadonlySet<string> = new Set(['extensions.worktreeconfig', 'extensions.partialclone']);

/**
 * Returns those settings that can't start a program, each once, as the last one says. Undefined if the repository has a format that isn't
 * known.
 */
export function harmlessOf(users: readonly Setting[], own: readonly Setting[]): Setting[] | undefined {
  const isKnown = (key: string) => !key.startsWith('extensions.') || harmless.has(key) || leftOut.has(key);
  if (!own.every(([key]) => isKnown(key))) return undefined;
  const last = new Map<string, string>();
  for (const [key, value] of [...users.filter(([name]) => !format.test(name)), ...own]) {
    if (harmless.has(key)) last.set(key, value);
  }
  return [...last].sort(([a], [b]) => (a < b ? -1 : 1));
}
