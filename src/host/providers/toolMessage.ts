import { asObject, asOneOf } from '../../shared/values/decodeValue';
import type { FromProvidersPage } from '../../shared/pages/modelProviders';

/** A message about the editor's tools. */
export type ToolMessage = Extract<
  FromProvidersPage,
  { type: 'setTools' | 'setTool' | 'allowTools' | 'openToolSettings' }
>;

const types = ['setTools', 'setTool', 'allowTools', 'openToolSettings'] as const;

/** Returns whether a message is about the editor's tools, whatever else is in it. */
export function isAboutTools(message: unknown): boolean {
  return asOneOf(asObject(message)?.['type'], types) !== undefined;
}

/** Reads a message about the editor's tools; undefined if a value has the wrong type, because it would be written into the user's settings. */
export function decodeToolMessage(message: unknown): ToolMessage | undefined {
  const fields = asObject(message);
  const type = asOneOf(fields?.['type'], types);
  if (!fields || !type) return undefined;
  const { name, isOn } = fields;
  if (type === 'setTools') return typeof isOn === 'boolean' ? { type, isOn } : undefined;
  if (type === 'setTool')
    return typeof isOn === 'boolean' && typeof name === 'string' ? { type, name, isOn } : undefined;
  return { type };
}
