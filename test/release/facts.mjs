// @ts-check
// What a release is: its version, its channel, its notes, and where its packages go.

/** @typedef {'release' | 'pre-release'} Channel */

/**
 * The channel of a version. Marketplaces order versions by number alone, so the two channels take turns: an odd minor number is a
 * pre-release. Throws for what isn't `MAJOR.MINOR.PATCH`: the marketplaces take no suffix.
 * @param {string} version
 * @returns {Channel}
 */
export function channelOf(version) {
  const minor = /^\d+\.(\d+)\.\d+$/.exec(version)?.[1];
  if (minor === undefined) throw new Error(`${version} isn't MAJOR.MINOR.PATCH, the only form that marketplaces take.`);
  return Number(minor) % 2 === 1 ? 'pre-release' : 'release';
}

/**
 * The part of the change log about a version; undefined if there is none.
 * @param {string} changelog
 * @param {string} version
 */
export function notesOf(changelog, version) {
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => /^\[?v?([\d.]+)/.exec(text)?.[1] === version);
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}

/** How old the list of agents that ships may be, in days. */
const agentsFor = 14;

/**
 * What is wrong with releasing this, each in a sentence. `tag` is the one that was pushed, if any, and `agentsOf` the day from which the
 * list of agents that ships is.
 * @param {{ version: string, tag: string | undefined, changelog: string, agentsOf: string, today: Date }} facts
 * @returns {string[]}
 */
export function problemsOf({ version, tag, changelog, agentsOf, today }) {
  const problems = [];
  if (tag !== undefined && tag !== `v${version}`) {
    problems.push(`The tag is ${tag}, and package.json says ${version}. Tag the commit that sets the version.`);
  }
  if (notesOf(changelog, version) === undefined) {
    problems.push(`CHANGELOG.md has no section “## ${version}”. Rename “Unreleased” and shorten it.`);
  }
  if (today.getTime() - Date.parse(agentsOf) > agentsFor * 24 * 60 * 60_000) {
    problems.push(`The list of agents is of ${agentsOf}. Run “npm run registry”, and commit what it writes.`);
  }
  return problems;
}

/**
 * A place that extensions are published at.
 * @typedef {object} Place
 * @property {string} name
 * @property {string} token the variable with a token, which takes the place of trusted publishing
 * @property {string} program below `.github/publish/node_modules`
 * @property {string} trusted the option for trusted publishing
 */

/** @type {Readonly<Record<'marketplace' | 'open-vsx', Place>>} */
export const places = {
  marketplace: {
    name: 'Visual Studio Marketplace',
    token: 'VSCE_PAT',
    program: '@vscode/vsce/vsce',
    trusted: '--oidc',
  },
  'open-vsx': { name: 'Open VSX', token: 'OVSX_PAT', program: 'ovsx/bin/ovsx', trusted: '--trusted-publishing' },
};

/** @param {string} text @returns {text is keyof typeof places} */
export function isPlace(text) {
  return text in places;
}

/**
 * The arguments that publish packages at a place. A version that is there already is left as it is, so that a run which failed halfway
 * can be started again.
 * @param {keyof typeof places} place
 * @param {{ packages: readonly string[], channel: Channel, hasToken: boolean }} release
 * @returns {string[]}
 */
export function publishArgs(place, { packages, channel, hasToken }) {
  const trusted = hasToken ? [] : [places[place].trusted];
  // Open VSX reads the channel from the package, and warns about the option.
  const ofChannel = channel === 'pre-release' && place === 'marketplace' ? ['--pre-release'] : [];
  return ['publish', ...trusted, ...ofChannel, '--skip-duplicate', '--packagePath', ...packages];
}
