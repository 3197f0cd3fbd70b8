/**
 * A file's content by its hash and size in bytes, a symbolic link, or that there is no file. Where they are known, `permissions` are all
 * permission bits, and `mode` tells an executable file (0o755) from another (0o644), as Git does.
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

/** A content that is stored under its hash. */
export type StoredRef = Extract<FileRef, { kind: 'stored' }>;

/** Whether both are the same file; permission bits count only where both know them. */
export function isSameRef(a: FileRef, b: FileRef): boolean {
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind !== 'stored' || b.kind !== 'stored') return a.kind === b.kind;
  if (a.hash !== b.hash) return false;
  if (a.permissions !== undefined && b.permissions !== undefined) return a.permissions === b.permissions;
  return a.mode === undefined || b.mode === undefined || a.mode === b.mode;
}
