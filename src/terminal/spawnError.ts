import { messageOf } from '../shared/messageOf';
/** Why a command could not be started: the program or the folder is missing, may not be used, or something else. */
export type SpawnErrorCode = 'ENOENT' | 'EACCES' | 'ENOTDIR' | 'EFAILED';

/** A command that could not be started. The message says which and why, in one sentence for the agent. */
export class SpawnError extends Error {
  override readonly name = 'SpawnError';
  readonly code: SpawnErrorCode;

  constructor(code: SpawnErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes a `SpawnError` of what the operating system reported about starting `file`. */
export function toSpawnError(file: string, cause: unknown): SpawnError {
  if (cause instanceof SpawnError) return cause;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  const text = messageOf(cause);
  if (code === 'ENOENT') return new SpawnError('ENOENT', `The program "${file}" wasn't found (ENOENT).`);
  if (code === 'EACCES' || code === 'EPERM') {
    return new SpawnError('EACCES', `The program "${file}" isn't executable (${code}).`);
  }
  return new SpawnError('EFAILED', `The program "${file}" couldn't be started: ${text}`);
}
