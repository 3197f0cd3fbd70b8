import type { ToolCallStatus } from './transcript';

/** Returns whether a tool call with this status may still change. */
export function isUnfinished(status: ToolCallStatus): boolean {
  return status === 'pending' || status === 'in_progress' || status === 'paused';
}
