// @ts-check
// The bill of materials of what ships, in CycloneDX' form: every package whose code is in the VSIX, with the hash that npm checked.

/** @typedef {{ name: string, version: string, license?: string }} Manifest */
/** @typedef {{ version?: string, integrity?: string, license?: string }} Locked */

/**
 * Has no time and no serial number, so that the same sources make the same bytes.
 * @param {Manifest} product
 * @param {readonly string[]} packages names of what ships, as `bundledPackages` returns them
 * @param {Readonly<Record<string, Locked>>} locked the packages of the lock file, by path
 */
export function sbomOf(product, packages, locked) {
  const own = { ...named(product.name, product.version), type: 'application', ...licensed(product.license) };
  const components = packages.map((name) => {
    const paths = Object.keys(locked).filter((path) => path.endsWith(`node_modules/${name}`));
    const path = paths.sort((one, other) => one.length - other.length)[0];
    const { version, integrity, license } = (path === undefined ? undefined : locked[path]) ?? {};
    if (version === undefined || integrity === undefined) throw new Error(`The lock file lacks ${name}, which ships.`);
    return { ...named(name, version), type: 'library', ...licensed(license), hashes: [hashOf(integrity)] };
  });
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: own },
    components,
    dependencies: [{ ref: own['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) }],
  };
}

/** @param {string} name @param {string} version */
function named(name, version) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [first = '', second] = name.split('/');
  return { ...(second === undefined ? { name } : { group: first, name: second }), version, purl, 'bom-ref': purl };
}

/** @param {string | undefined} license an identifier or an expression of SPDX */
function licensed(license) {
  if (license === undefined) return {};
  return { licenses: [/\s/.test(license) ? { expression: license } : { license: { id: license } }] };
}

/** @param {string} integrity as in a lock file */
function hashOf(integrity) {
  const [algorithm = '', value = ''] = integrity.split('-');
  const content = Buffer.from(value, 'base64').toString('hex');
  return { alg: algorithm.replace('sha', 'SHA-'), content };
}
