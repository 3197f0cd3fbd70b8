import type { ToolKind } from './transcript';

/** The protocol's kinds of tool calls. */
export const toolKinds: readonly ToolKind[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'think',
  'fetch',
  'switch_mode',
  'other',
];
