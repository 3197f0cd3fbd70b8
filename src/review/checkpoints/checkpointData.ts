import type { Checkpoint, CheckpointFile, Renamed } from './checkpoint';
import type { FileRef, StoredRef } from '../files/fileRef';
import { isRecord } from '../../shared/values/isRecord';

/** A session's checkpoints as JSON. Any other `version` is ignored. */
export interface CheckpointsJson {
  readonly version: 1;
  /** The owner: the agent's id, and the session id that the agent assigned. */
  readonly agentId: string;
  readonly sessionId: string;
  readonly turns: readonly TurnJson[];
}

/** The checkpoint of a turn as JSON. */
export interface TurnJson {
  readonly turn: number;
  readonly files: readonly (readonly [uri: string, file: CheckpointFile])[];
  readonly unrecorded: readonly string[];
  readonly renames?: readonly Renamed[];
}

/** Converts checkpoints to JSON for `fromCheckpointsJson`. */
export function toCheckpointsJson(
  agentId: string,
  sessionId: string,
  checkpoints: readonly Checkpoint[],
): CheckpointsJson {
  return { version: 1, agentId, sessionId, turns: toTurnsJson(checkpoints) };
}

/** Converts checkpoints to JSON for `fromTurnsJson`. */
export function toTurnsJson(checkpoints: readonly Checkpoint[]): readonly TurnJson[] {
  return checkpoints.map(({ files, ...rest }) => ({ ...rest, files: [...files] }));
}

/** Reads the output of `toCheckpointsJson`. Returns undefined for anything else, including damaged data. */
export function fromCheckpointsJson(json: unknown): readonly Checkpoint[] | undefined {
  return isRecord(json) && json['version'] === 1 ? fromTurnsJson(json['turns']) : undefined;
}

/** Reads the output of `toTurnsJson`. Returns undefined for anything else. */
export function fromTurnsJson(json: unknown): readonly Checkpoint[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const turns = (json as unknown[]).map(readTurn);
  return turns.every((turn) => turn !== undefined) ? turns : undefined;
}

function readTurn(json: unknown): Checkpoint | undefined {
  if (!isRecord(json)) return undefined;
  const { turn, files, unrecorded, renames } = json;
  if (typeof turn !== 'number' || !Array.isArray(files) || !Array.isArray(unrecorded)) return undefined;
  const read = (files as unknown[]).map(readFile);
  if (!read.every((file) => file !== undefined)) return undefined;
  const moves = Array.isArray(renames) ? { renames: (renames as unknown[]).flatMap(readRename) } : {};
  return { turn, files: new Map(read), unrecorded: (unrecorded as unknown[]).map(String), ...moves };
}

function readRename(json: unknown): Renamed[] {
  const [from, to] = Array.isArray(json) ? (json as unknown[]) : [];
  return typeof from === 'string' && typeof to === 'string' ? [[from, to]] : [];
}

function readFile(json: unknown): readonly [string, CheckpointFile] | undefined {
  const [uri, file] = Array.isArray(json) ? (json as unknown[]) : [];
  if (typeof uri !== 'string' || !isRecord(file)) return undefined;
  const { before, after, review, isEdited } = file;
  if (!isFileRef(before) || !isFileRef(after)) return undefined;
  const rest = { ...(isStoredRef(review) ? { review } : {}), ...(isEdited === true ? { isEdited } : {}) };
  return [uri, { before, after, ...rest }];
}

/** Returns whether a value is a `FileRef`. */
export function isFileRef(json: unknown): json is FileRef {
  if (!isRecord(json)) return false;
  return (
    json['kind'] === 'absent' || (json['kind'] === 'link' && typeof json['target'] === 'string') || isStoredRef(json)
  );
}

/** Returns whether a value is a `StoredRef`. */
export function isStoredRef(json: unknown): json is StoredRef {
  if (!isRecord(json)) return false;
  const { kind, hash, size, mode, permissions } = json;
  const areBits = [mode, permissions].every((bits) => bits === undefined || typeof bits === 'number');
  return kind === 'stored' && typeof hash === 'string' && typeof size === 'number' && areBits;
}
