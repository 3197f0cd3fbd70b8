import type { McpCall } from '../../rules/requestedAction';
import { asObject, asString } from '../../shared/values/decodeValue';

/**
 * Returns the MCP server and tool of a tool call, if the agent names both unambiguously; otherwise undefined. Each agent
 * has its own way. Names that are joined with a sign that is also inside of them don't count.
 */
export function mcpCallOf(toolCall: unknown): McpCall | undefined {
  const call = asObject(toolCall);
  const meta = asObject(call?.['_meta']);
  return (
    ofClaude(call?.['name'], asObject(meta?.['claudeCode'])) ?? ofQwen(meta) ?? ofCodex(call, meta) ?? ofGemini(call)
  );
}

type Fields = Readonly<Record<string, unknown>> | undefined;

/** Claude sends `mcp__SERVER__TOOL`, and newer versions the server beside it. */
function ofClaude(given: unknown, claude: Fields): McpCall | undefined {
  const reported = asString(claude?.['toolName']);
  const name = asString(given) ?? reported;
  if (!name?.startsWith('mcp__') || (reported !== undefined && reported !== name)) return undefined;
  const server = asString(asObject(claude?.['mcpServer'])?.['name']);
  if (server !== undefined) {
    const start = `mcp__${server.replace(/[^\w-]/g, '_')}__`;
    return callOf(server, name.startsWith(start) ? name.slice(start.length) : '');
  }
  const [, first, second, ...more] = name.split('__');
  const isClear = more.length === 0 && !first?.endsWith('_') && !second?.startsWith('_');
  return isClear ? callOf(first, second) : undefined;
}

function ofQwen(meta: Fields): McpCall | undefined {
  if (meta?.['provenance'] !== 'mcp') return undefined;
  const [server, name] = [asString(meta['serverId']), asString(meta['toolName'])];
  const start = `mcp__${server ?? ''}__`;
  return callOf(server, name?.startsWith(start) ? name.slice(start.length) : name);
}

function ofCodex(call: Fields, meta: Fields): McpCall | undefined {
  if (meta?.['is_mcp_tool_call'] !== true) return undefined;
  const [, server, tool] = /^mcp\.([^.]+)\.([^.]+)$/.exec(asString(call?.['title']) ?? '') ?? [];
  return callOf(server, tool);
}

/** Gemini sends the names in the title, and again, joined, in the id. */
function ofGemini(call: Fields): McpCall | undefined {
  const [, tool, server] = /^([^()]+) \(([^()]+) MCP Server\)$/.exec(asString(call?.['title']) ?? '') ?? [];
  const found = callOf(server, tool);
  return found && asString(call?.['toolCallId'])?.startsWith(`mcp_${found.server}_${found.tool}__`) ? found : undefined;
}

function callOf(server: string | undefined, tool: string | undefined): McpCall | undefined {
  return server && tool ? { server, tool } : undefined;
}
