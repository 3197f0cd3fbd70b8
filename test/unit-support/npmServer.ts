// An npm registry on this machine, and an environment in which npm uses only it.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { tarGz, type LocalServer } from './archives';

export interface PublishedPackage {
  readonly name: string;
  readonly version: string;
  readonly type?: 'module';
  readonly bin?: string | Readonly<Record<string, string>>;
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  /** The files besides `package.json`, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** Replaces the checksum of the package. */
  readonly integrity?: string;
}

/** Serves one version of a package. */
export async function publish(server: LocalServer, published: PublishedPackage): Promise<void> {
  const { files = {}, integrity, ...manifest } = published;
  const bytes = await tarGz([
    { name: 'package/package.json', content: JSON.stringify(manifest) },
    ...Object.entries(files).map(([path, content]) => ({ name: `package/${path}`, content, mode: 0o755 })),
  ]);
  const tarball = server.serve(`/files/${manifest.name.replace('/', '-')}-${manifest.version}.tgz`, bytes);
  const sum = integrity ?? `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  const entry = { ...manifest, dist: { tarball, integrity: sum } };
  const { name, version } = manifest;
  const document = { name, 'dist-tags': { latest: version }, versions: { [version]: entry } };
  server.serve(`/${name.replace('/', '%2f')}`, JSON.stringify(document));
}

/** Returns the environment for npm: this registry only, and a home and cache in `folder`. */
export function npmEnvironment(registry: string, folder: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    USERPROFILE: folder,
    npm_config_registry: registry,
    npm_config_cache: join(folder, 'npm-cache'),
    npm_config_userconfig: join(folder, 'npmrc'),
  };
}
