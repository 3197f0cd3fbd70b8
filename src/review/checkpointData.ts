import type { Checkpoint, CheckpointFile } from './checkpoint';
import type { FileRef, StoredRef } from './fileRef';
import { isRecord } from '../shared/isRecord';

/** A session's checkpoints as plain JSON; another `version` is not read. */
export interface CheckpointsJson {
  readonly version: 1;
  /** Whose they are: an agent's id, and the session's id as that agent named it. */
  readonly agentId: string;
  readonly sessionId: string;
  readonly turns: readonly TurnJson[];
}

/** A turn's checkpoint as plain JSON. */
export interface TurnJson {
  readonly turn: number;
  readonly files: readonly (readonly [uri: string, file: CheckpointFile])[];
  readonly unrecorded: readonly string[];
}

/** The checkpoints as JSON that `fromCheckpointsJson` reads again. */
export function toCheckpointsJson(
  agentId: string,
  sessionId: string,
  checkpoints: readonly Checkpoint[],
): CheckpointsJson {
  return { version: 1, agentId, sessionId, turns: toTurnsJson(checkpoints) };
}

/** The checkpoints as JSON that `fromTurnsJson` reads again. */
export function toTurnsJson(checkpoints: readonly Checkpoint[]): readonly TurnJson[] {
  return checkpoints.map(({ turn, files, unrecorded }) => ({ turn, files: [...files], unrecorded }));
}

/** Reads what `toCheckpointsJson` wrote; undefined when it is something else, whatever happened to it in between. */
export function fromCheckpointsJson(json: unknown): readonly Checkpoint[] | undefined {
  return isRecord(json) && json['version'] === 1 ? fromTurnsJson(json['turns']) : undefined;
}

/** Reads what `toTurnsJson` wrote; undefined when it is something else. */
export function fromTurnsJson(json: unknown): readonly Checkpoint[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const turns = (json as unknown[]).map(readTurn);
  return turns.every((turn) => turn !== undefined) ? turns : undefined;
}

function readTurn(json: unknown): Checkpoint | undefined {
  if (!isRecord(json)) return undefined;
  const { turn, files, unrecorded } = json;
  if (typeof turn !== 'number' || !Array.isArray(files) || !Array.isArray(unrecorded)) return undefined;
  const read = (files as unknown[]).map(readFile);
  if (!read.every((file) => file !== undefined)) return undefined;
  return { turn, files: new Map(read), unrecorded: (unrecorded as unknown[]).map(String) };
}

function readFile(json: unknown): readonly [string, CheckpointFile] | undefined {
  const [uri, file] = Array.isArray(json) ? (json as unknown[]) : [];
  if (typeof uri !== 'string' || !isRecord(file)) return undefined;
  const { before, after, review } = file;
  if (!isFileRef(before) || !isFileRef(after)) return undefined;
  return [uri, { before, after, ...(isStoredRef(review) ? { review } : {}) }];
}

/** Whether it is a file by its content, a link, or that there is none. */
export function isFileRef(json: unknown): json is FileRef {
  if (!isRecord(json)) return false;
  return (
    json['kind'] === 'absent' || (json['kind'] === 'link' && typeof json['target'] === 'string') || isStoredRef(json)
  );
}

/** Whether it is a content by its hash. */
export function isStoredRef(json: unknown): json is StoredRef {
  if (!isRecord(json)) return false;
  const { kind, hash, size, mode, permissions } = json;
  const areBits = [mode, permissions].every((bits) => bits === undefined || typeof bits === 'number');
  return kind === 'stored' && typeof hash === 'string' && typeof size === 'number' && areBits;
}
