import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { editorTools } from '../../shared/pages/editorTools';
import { allTools } from './ideServer';
import { toolsFor } from './mcpHandler';
import type { Language } from '../editor/languages';
import type { EditorTool, ToolServices, ToolSession } from './tool';

const defaults = allTools.filter(({ isDefault }) => isDefault);
const offered = allTools.filter(({ isDefault }) => !isDefault);

/** A row of the table, by the head of its column. */
type Row = Readonly<Record<string, string>>;

function tableOf(text: string): Row[] {
  const [head = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.split('|').map((cell) => cell.trim()));
  return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])));
}

interface Definition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** The definitions as agents get them. */
async function definitions(tools: readonly EditorTool[]): Promise<readonly Definition[]> {
  const guest = toolsFor({} as ToolSession, () => tools, {} as ToolServices, {} as Language, '1.0.0');
  const response = await guest.fetch(
    new Request('http://127.0.0.1/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    }),
  );
  const text = await response.text();
  const json = text.startsWith('{') ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? '');
  return (JSON.parse(json) as { readonly result: { readonly tools: readonly Definition[] } }).result.tools;
}

/** Models get a tool's name, description, and input. */
function costOf(definition: Definition | undefined): number {
  assert.ok(definition);
  const { name, description, inputSchema } = definition;
  return Math.round(JSON.stringify({ name, description, inputSchema }).length / 4);
}

void describe('the table of the editor tools', () => {
  const text = readFileSync('docs/ide-tools.md', 'utf8');
  const [section = ''] = text.split('\n## Tools\n').slice(1);
  const rows = tableOf(section.split('\n## ')[0] ?? '');

  void it('lists each tool with its input, cost, and availability', async () => {
    const listed = await definitions(allTools);
    const wanted = allTools.map(({ name, properties, isDefault }, at) => ({
      tool: `\`${name}\``,
      offered: isDefault ? 'always' : 'by the setting',
      input:
        Object.keys(properties)
          .map((property) => `\`${property}\``)
          .join(', ') || 'none',
      tokens: String(costOf(listed[at])),
    }));
    const given = rows.map((row) => ({
      tool: row['tool'],
      offered: row['offered'],
      input: row['input'],
      tokens: row['tokens'],
    }));
    assert.deepEqual(given, wanted);
    const cost = wanted.slice(0, defaults.length).reduce((sum, { tokens }) => sum + Number(tokens), 0);
    assert.match(text, new RegExp(`cost about ${cost} tokens together`));
    assert.ok(cost < 800, 'Each session pays for them.');
  });

  void it('has the tools and the words of the settings', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      readonly contributes: {
        readonly configuration: { readonly properties: Record<string, { items?: { enum: readonly string[] } }> };
      };
    };
    const { properties } = contributes.configuration;
    const names = (tools: readonly EditorTool[]) => tools.map(({ name }) => name);
    assert.deepEqual(properties['parley.editorTools.disabled']?.items?.enum, names(defaults));
    assert.deepEqual(properties['parley.editorTools.more']?.items?.enum, names(offered));
    const given = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Record<string, string>;
    for (const [name, { words }] of Object.entries(editorTools)) {
      const { label, about } = words();
      const key = `setting.editorTools.${name}`;
      assert.deepEqual([given[`${key}.label`], given[key]], [label, about]);
    }
  });
});
