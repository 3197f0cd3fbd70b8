import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ContextPartKind, ContextParts } from '../../src/shared/amounts/contextParts';
import { shortCount } from '../base/amounts';

/** Renders the parts of an agent's context, each with its tokens. */
export function contextParts({ parts, compactsAt, isEstimated }: ContextParts, locale: string): TemplateResult {
  const tokens = (count: number) =>
    isEstimated ? l10n.t('about {0}', shortCount(count, locale)) : shortCount(count, locale);
  return html`<dl class="parts" aria-label=${l10n.t('Parts of the context')}>
    ${parts.map((part) => row(nameOf(part.kind), tokens(part.tokens)))}
    ${compactsAt === undefined ? nothing : row(l10n.t('Compacted at'), shortCount(compactsAt, locale))}
  </dl>`;
}

function row(name: string, value: string): TemplateResult {
  return html`<div>
    <dt>${name}</dt>
    <dd class="num"><span>${value}</span></dd>
  </div>`;
}

function nameOf(kind: ContextPartKind): string {
  switch (kind) {
    case 'systemPrompt':
      return l10n.t('Instructions');
    case 'builtinTools':
      return l10n.t('Built-in tools');
    case 'mcpTools':
      return l10n.t('MCP tools');
    case 'memoryFiles':
      return l10n.t('Memory files');
    case 'skills':
      return l10n.t('Skills');
    case 'startupContext':
      return l10n.t('About the folder');
    case 'messages':
      return l10n.t('Conversation');
    case 'unattributed':
      return l10n.t('Other');
  }
}
