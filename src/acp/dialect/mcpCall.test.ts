import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mcpCallOf } from './mcpCall';

const claude = (toolName: string, server?: string) => ({
  name: toolName,
  _meta: { claudeCode: { toolName, ...(server === undefined ? {} : { mcpServer: { name: server } }) } },
});

void describe('the MCP tool of a call', () => {
  void it("is read from each agent's format", () => {
    const calls: readonly (readonly [object, string, string])[] = [
      [claude('mcp__lab__lab_echo', 'lab'), 'lab', 'lab_echo'],
      [claude('mcp__my_lab__a__b', 'my.lab'), 'my.lab', 'a__b'],
      [claude('mcp__lab__lab_echo'), 'lab', 'lab_echo'],
      [{ name: 'mcp__lab__echo' }, 'lab', 'echo'],
      [{ _meta: { provenance: 'mcp', serverId: 'lab', toolName: 'mcp__lab__echo' } }, 'lab', 'echo'],
      [{ title: 'mcp.lab.lab_echo', _meta: { is_mcp_tool_call: true } }, 'lab', 'lab_echo'],
      [{ title: 'lab_echo (lab MCP Server)', toolCallId: 'mcp_lab_lab_echo__fc0' }, 'lab', 'lab_echo'],
    ];
    for (const [call, server, tool] of calls) assert.deepEqual(mcpCallOf(call), { server, tool }, JSON.stringify(call));
  });

  void it('is unknown if the names are ambiguous or occur only in text', () => {
    for (const call of [
      claude('mcp__a__b__c'),
      claude('mcp__a___b'),
      claude('mcp__lab__echo', 'other'),
      claude('mcp__lab__', 'lab'),
      { name: 'Read', _meta: { claudeCode: { toolName: 'mcp__lab__echo' } } },
      { title: 'mcp__lab__echo' },
      { title: 'mcp.lab.echo' },
      { title: 'mcp.a.b.c', _meta: { is_mcp_tool_call: true } },
      { title: 'x (lab MCP Server) (evil MCP Server)', toolCallId: 'mcp_evil_x__1' },
      { title: 'lab_echo (lab MCP Server)', toolCallId: 'mcp_evil_lab_echo__1' },
      { _meta: { provenance: 'builtin', serverId: 'lab', toolName: 'echo' } },
      { name: 'lab_lab_echo' },
      undefined,
    ])
      assert.equal(mcpCallOf(call), undefined, JSON.stringify(call));
  });
});
