import type { Checkpoint, CheckpointFile } from './checkpoints';
import type { FileRef } from './fileRef';

/** A session's checkpoints as plain JSON; another `version` is not read. */
export interface CheckpointsJson {
  readonly version: 1;
  /** Whose they are: an agent's id, and the session's id as that agent named it. */
  readonly agentId: string;
  readonly sessionId: string;
  readonly turns: readonly TurnJson[];
}

interface TurnJson {
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
  const turns = checkpoints.map(({ turn, files, unrecorded }) => ({ turn, files: [...files], unrecorded }));
  return { version: 1, agentId, sessionId, turns };
}

/** Reads what `toCheckpointsJson` wrote; undefined when it is something else, whatever happened to it in between. */
export function fromCheckpointsJson(json: unknown): readonly Checkpoint[] | undefined {
  if (!isObject(json) || json['version'] !== 1 || !Array.isArray(json['turns'])) return undefined;
  const turns = (json['turns'] as unknown[]).map(readTurn);
  return turns.every((turn) => turn !== undefined) ? turns : undefined;
}

function readTurn(json: unknown): Checkpoint | undefined {
  if (!isObject(json)) return undefined;
  const { turn, files, unrecorded } = json;
  if (typeof turn !== 'number' || !Array.isArray(files) || !Array.isArray(unrecorded)) return undefined;
  const read = (files as unknown[]).map(readFile);
  if (!read.every((file) => file !== undefined)) return undefined;
  return { turn, files: new Map(read), unrecorded: (unrecorded as unknown[]).map(String) };
}

function readFile(json: unknown): readonly [string, CheckpointFile] | undefined {
  const [uri, file] = Array.isArray(json) ? (json as unknown[]) : [];
  if (typeof uri !== 'string' || !isObject(file)) return undefined;
  const { before, after } = file;
  return isRef(before) && isRef(after) ? [uri, { before, after }] : undefined;
}

function isRef(json: unknown): json is FileRef {
  if (!isObject(json)) return false;
  if (json['kind'] === 'absent') return true;
  const { kind, hash, size, mode } = json;
  const isMode = mode === undefined || typeof mode === 'number';
  return kind === 'stored' && typeof hash === 'string' && typeof size === 'number' && isMode;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null;
}
