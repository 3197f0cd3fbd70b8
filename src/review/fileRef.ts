/** A file's content by its hash, size in bytes and, where known, permission bits; a symbolic link; or that there is no file. */
export type FileRef =
  | { readonly kind: 'absent' }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'stored'; readonly hash: string; readonly size: number; readonly mode?: number };

/** A content that is stored under its hash. */
export type StoredRef = Extract<FileRef, { kind: 'stored' }>;

/** Whether both are the same file; permission bits count only where both know them. */
export function isSameRef(a: FileRef, b: FileRef): boolean {
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  if (a.kind !== 'stored' || b.kind !== 'stored') return a.kind === b.kind;
  return a.hash === b.hash && (a.mode === undefined || b.mode === undefined || a.mode === b.mode);
}
