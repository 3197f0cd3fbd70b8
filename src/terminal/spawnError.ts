import { messageOf } from '../shared/values/messageOf';
/** Why a command couldn't be started: the program or folder is missing or not accessible, or another reason. */
export type SpawnErrorCode = 'ENOENT' | 'EACCES' | 'ENOTDIR' | 'EFAILED';

/** A command that couldn't be started. The message names the command and the reason, in one sentence for the agent. */
export class SpawnError extends Error {
  override readonly name = 'SpawnError';
  readonly code: SpawnErrorCode;

  constructor(code: SpawnErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Converts a system error from starting `file` to a `SpawnError`. */
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
