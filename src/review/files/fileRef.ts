/**
 * A file's content by hash and size in bytes, a symbolic link, or no file. If known, `permissions` has all permission bits, and `mode`
 * distinguishes executable files (0o755) from others (0o644), as in Git.
 */
export type FileRef =
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly target: string }
  | {
      readonly kind: 'stored';
      readonly hash: string;
      readonly size: number;
      readonly mode?: number;
      readonly permissions?: number;
    };

/** Content stored under its hash. */
export type StoredRef = Extract<FileRef, { kind: 'stored' }>;

/** Returns whether both are the same file. Permission bits count only if both have them. */
export function isSameRef(a: FileRef, b: FileRef): boolean {
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind !== 'stored' || b.kind !== 'stored') return a.kind === b.kind;
  if (a.hash !== b.hash) return false;
  if (a.permissions !== undefined && b.permissions !== undefined) return a.permissions === b.permissions;
  return a.mode === undefined || b.mode === undefined || a.mode === b.mode;
}
