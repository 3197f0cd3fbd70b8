import type { ToolKind } from '../shared/transcript';

/** The kinds of tool calls that the protocol names. */
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
