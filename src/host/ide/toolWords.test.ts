import '../../../test/unit-support/vscode';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { agentTools } from './agentTools';
import { changeTools } from './changeTools';
import { moreReadTools, readTools } from './readTools';
import { runTools } from './runTools';
import { defaultTools, toolWords } from './toolWords';

void describe('the labels of editor tools', () => {
  const names = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

  void it('exist for each tool', () => {
    assert.deepEqual(names(readTools), defaultTools);
    const all = [...readTools, ...moreReadTools, ...changeTools, ...runTools, ...agentTools];
    assert.deepEqual(Object.keys(toolWords()).sort(), names(all).sort());
  });

  void it('match those of the settings', async () => {
    const words = JSON.parse(await readFile('package.nls.json', 'utf8')) as Record<string, string>;
    const { contributes } = JSON.parse(await readFile('package.json', 'utf8')) as {
      readonly contributes: {
        readonly configuration: { readonly properties: Record<string, { items?: { enum: readonly string[] } }> };
      };
    };
    for (const [name, [label, description]] of Object.entries(toolWords())) {
      assert.deepEqual(
        [words[`setting.editorTools.${name}.label`], words[`setting.editorTools.${name}`]],
        [label, description],
      );
    }
    const { properties } = contributes.configuration;
    const more = Object.keys(toolWords()).filter((name) => !defaultTools.includes(name));
    assert.deepEqual(properties['parley.editorTools.disabled']?.items?.enum, defaultTools);
    assert.deepEqual(properties['parley.editorTools.more']?.items?.enum, more);
  });
});
