import type { ArchiveKind } from './registryAgent';

/** Returns whether downloads from a URL are allowed: over https, or over http from this machine. */
export function isAllowedUrl(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || url.username !== '' || url.password !== '') return false;
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(url.hostname);
}

/** Returns the archive type of a URL by its file name; undefined for installers and unsupported types. */
export function archiveKind(address: string): ArchiveKind | undefined {
  const path = new URL(address).pathname.toLowerCase();
  if (path.endsWith('.zip')) return 'zip';
  if (/\.(tar\.gz|tgz)$/.test(path)) return 'tar.gz';
  if (/\.(tar\.bz2|tbz2)$/.test(path)) return 'tar.bz2';
  return /\.(dmg|pkg|msi|msix|deb|rpm|appimage|snap|flatpak|tar|tar\.\w+|txz|7z|rar|gz|bz2|xz|zst)$/.test(path)
    ? undefined
    : 'raw';
}
