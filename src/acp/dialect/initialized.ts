import type { AgentCapabilities, InitializeInfo } from '../decode/decodeAgent';
import { asObject, asString, type JsonObject } from '../../shared/values/decodeValue';

/** Reads who the agent is. */
export function agentInfo(info: JsonObject | undefined): Omit<InitializeInfo, 'can' | 'authMethods'> {
  return {
    agentName: asString(info?.['name']) ?? '',
    agentTitle: asString(info?.['title']) ?? asString(info?.['name']) ?? '',
    agentVersion: asString(info?.['version']) ?? '',
  };
}

/** Reads what an agent can do with sessions, and take in prompts. Both versions have the same names for that. */
export function sessionCapabilities(session: JsonObject | undefined, prompt: JsonObject | undefined) {
  return {
    delete: isOn(session?.['delete']),
    fork: isOn(session?.['fork']),
    archive: isOn(session?.['archive']),
    setTitle: isOn(session?.['title']),
    sessionStatus: isOn(session?.['status']),
    sessionOptions: isOn(session?.['options']),
    additionalDirectories: isOn(session?.['additionalDirectories']),
    systemPrompt: isOn(session?.['systemPrompt']),
    systemPromptOverride: isOn(asObject(asObject(session?.['systemPrompt'])?.['mode'])?.['override']),
    image: isOn(prompt?.['image']),
    audio: isOn(prompt?.['audio']),
    embeddedContext: isOn(prompt?.['embeddedContext']),
  } satisfies Partial<AgentCapabilities>;
}

/**
 * Returns whether a capability is on. In version 1, some are booleans, others are objects whose presence means yes; every capability may use
 * either form, in version 2 as well.
 */
export function isOn(value: unknown): boolean {
  return value === true || asObject(value) !== undefined;
}
