import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { ResponseError } from '../../acp/base/errors';
import type { Guest } from './httpDoor';
import type { Language } from '../editor/languages';
import { ToolProblem, type EditorTool, type ToolServices, type ToolSession } from './tool';

type InputSchema = ReturnType<typeof fromJsonSchema<Record<string, unknown>>>;

/** Making the check of an input takes milliseconds, and the package wants all tools anew for each request. */
const inputSchemas = new WeakMap<EditorTool, InputSchema>();

/** Serves these tools to one session, in every revision of MCP that the package has. */
export function toolsFor(
  session: ToolSession,
  tools: () => readonly EditorTool[],
  services: ToolServices,
  language: Language,
  version: string,
): Guest {
  // The package creates a server for each request.
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'parley', title: 'Visual Studio Code', version });
    for (const tool of tools()) addTool(server, tool, session, services, language);
    return server;
  });
  return { fetch: (request) => handler.fetch(request), close: () => handler.close() };
}

function addTool(
  server: McpServer,
  tool: EditorTool,
  session: ToolSession,
  services: ToolServices,
  language: Language,
): void {
  const { name, description, effect } = tool;
  const inputSchema = inputSchemas.get(tool) ?? inputSchemaOf(tool);
  inputSchemas.set(tool, inputSchema);
  const annotations = {
    readOnlyHint: effect === 'none',
    destructiveHint: effect === 'changesFiles' || effect === 'runs',
    openWorldHint: effect === 'runs',
  };
  server.registerTool(name, { description, inputSchema, annotations }, async (args, { mcpReq }) => {
    try {
      const { text, data } = await tool.run({ ...session, services, language, args, signal: mcpReq.signal });
      return { content: [{ type: 'text', text }], structuredContent: data };
    } catch (error) {
      return { content: [{ type: 'text', text: problemOf(name, error) }], isError: true };
    }
  });
}

function inputSchemaOf({ properties, required }: EditorTool): InputSchema {
  return fromJsonSchema<Record<string, unknown>>({
    type: 'object',
    properties: { ...properties },
    ...(required.length > 0 ? { required: [...required] } : {}),
  });
}

/** Returns a sentence for the model. */
function problemOf(tool: string, error: unknown): string {
  if (error instanceof ToolProblem || error instanceof ResponseError) return error.message;
  return `The editor couldn't run ${tool}: ${error instanceof Error ? error.message : String(error)}`;
}
