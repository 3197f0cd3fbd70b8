import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import { live } from 'lit-html/directives/live.js';
import { assertNever } from '../../src/shared/values/assert';
import type { ChosenScope, WrittenRule } from '../../src/shared/permissions/permissionRules';
import { ruleSentence, ruleWarning, scopeLabel } from '../../src/shared/permissions/ruleWords';
import { icon } from '../base/icon';
import type { RuleDraft, TextField } from './ruleDraft';

/** The data and callbacks of a rule's typed fields. */
export interface RuleFieldsProps {
  readonly draft: RuleDraft;
  /** The unique prefix of element ids. */
  readonly id: string;
  readonly fields: readonly TextField[];
  /** The id of the element with the problem, if there is one. */
  readonly problemId: string | undefined;
  readonly change: (draft: RuleDraft) => void;
}

/** Renders what a rule covers, and a warning if it allows more than one kind of command. */
export function coversLine(rule: WrittenRule, scope: ChosenScope): TemplateResult {
  const warning = ruleWarning(rule);
  return html`<p class="covers" aria-live="polite">
    ${ruleSentence(rule)}.
    ${scopeHelp(scope)}${warning === '' ? nothing : html` ${icon('warning', 'attn')} <strong>${warning}</strong>`}
  </p>`;
}

/** Renders a field for each pattern of a rule. */
export function ruleFields({ draft, id, fields, problemId, change }: RuleFieldsProps): readonly TemplateResult[] {
  return fields.map((field) => {
    const type = (event: Event) => {
      const { value } = event.target as HTMLInputElement | HTMLTextAreaElement;
      change({ ...draft, texts: { ...draft.texts, [field]: value } });
    };
    const value = draft.texts[field] ?? '';
    const name = `${id}-${field}`;
    const isInvalid = problemId === undefined ? 'false' : 'true';
    const described = `${name}-help${problemId === undefined ? '' : ` ${problemId}`}`;
    const rows = Math.min(4, value.split('\n').length);
    return html`<div class="fld">
      <label class="lab" for=${name}>${fieldLabel(field)}</label>
      ${
        field === 'path'
          ? html`<textarea
              id=${name}
              class="inp mono"
              rows=${rows}
              spellcheck="false"
              aria-invalid=${isInvalid}
              aria-describedby=${described}
              .value=${live(value)}
              @input=${type}
            ></textarea>`
          : html`<input
              id=${name}
              class="inp mono"
              type="text"
              spellcheck="false"
              autocomplete="off"
              aria-invalid=${isInvalid}
              aria-describedby=${described}
              .value=${live(value)}
              @input=${type}
            />`
      }
      <span class="help" id="${name}-help">${fieldHelp(field)}</span>
    </div>`;
  });
}

/** Renders a list of choices with its label. */
export function choice<T extends string>(props: {
  readonly id: string;
  readonly label: string;
  readonly value: T;
  readonly choices: readonly { readonly value: T; readonly label: string }[];
  readonly change: (value: T) => void;
}): TemplateResult {
  const { id, label, value, choices, change } = props;
  return html`<div class="fld">
    <label class="lab" for=${id}>${label}</label>
    <span class="sel"
      ><select
        id=${id}
        class="inp"
        .value=${live(value)}
        @change=${(event: Event) => change((event.target as HTMLSelectElement).value as T)}
      >
        ${choices.map((one) => html`<option value=${one.value} ?selected=${one.value === value}>${one.label}</option>`)}
      </select>
      ${icon('chevron-down')}</span
    >
  </div>`;
}

/** Renders the choice of how long a rule lives. */
export function scopeChoice(
  id: string,
  value: ChosenScope,
  scopes: readonly ChosenScope[],
  change: (scope: ChosenScope) => void,
): TemplateResult {
  const choices = scopes.map((scope) => ({ value: scope, label: scopeLabel(scope) }));
  return choice({ id, label: l10n.t('Applies to'), value, choices, change });
}

/** Returns where a rule of this scope is stored and when it ends. */
export function scopeHelp(scope: ChosenScope): string {
  switch (scope) {
    case 'session':
      return l10n.t('Ends with this session.');
    case 'workspace':
      return l10n.t('Stored in VS Code for this workspace, not in its files.');
    case 'user':
      return l10n.t('Stored in your user settings.');
    default:
      return assertNever(scope);
  }
}

function fieldLabel(field: TextField): string {
  switch (field) {
    case 'command':
      return l10n.t('Command');
    case 'path':
      return l10n.t('Files and folders');
    case 'title':
      return l10n.t('Title');
    case 'mcpServer':
      return l10n.t('MCP server');
    case 'mcpTool':
      return l10n.t('MCP tool');
    case 'host':
      return l10n.t('Host');
    case 'agent':
      return l10n.t('Agent');
    default:
      return assertNever(field);
  }
}

function fieldHelp(field: TextField): string {
  switch (field) {
    case 'command':
    case 'title':
      return l10n.t('* stands for any text');
    case 'path':
      return l10n.t('One per line. ** stands for any folders');
    case 'host':
      return l10n.t('For connections of an agent in a sandbox. *. at the beginning stands for every host below');
    case 'mcpServer':
    case 'mcpTool':
    case 'agent':
      return l10n.t('* stands for any text');
    default:
      return assertNever(field);
  }
}
