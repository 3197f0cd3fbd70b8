import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import type { ChosenScope, WrittenRule } from '../../src/shared/permissions/permissionRules';
import { kindWords } from '../../src/shared/permissions/ruleWords';
import type { ToolKind } from '../../src/shared/transcript/transcript';
import { draftOf, ruleOf, textFields, withoutEmpty, type RuleDraft } from '../ruleForm/ruleDraft';
import { choice, coversLine, ruleFields, scopeChoice } from '../ruleForm/ruleFields';

const kinds: readonly ToolKind[] = [
  'read',
  'edit',
  'delete',
  'move',
  'search',
  'execute',
  'fetch',
  'think',
  'switch_mode',
  'other',
];

/** A rule while it is edited on the page, or a new one with an empty id. */
export class RuleEdit {
  readonly id: string;
  draft: RuleDraft;
  scope: ChosenScope;
  problem = '';
  isSaving = false;

  constructor(id: string, rule: WrittenRule, scope: ChosenScope) {
    this.id = id;
    this.draft = draftOf(rule);
    this.scope = scope;
  }

  get rule(): WrittenRule {
    return ruleOf(withoutEmpty(this.draft));
  }
}

/** The data and callbacks of the form. */
export interface RuleEditProps {
  readonly edit: RuleEdit;
  readonly scopes: readonly ChosenScope[];
  readonly draw: () => void;
  readonly save: () => void;
  readonly cancel: () => void;
}

/** Renders the form of a rule with all of its fields. */
export function ruleEdit({ edit, scopes, draw, save, cancel }: RuleEditProps): TemplateResult {
  const { draft } = edit;
  const change = (next: RuleDraft) => {
    edit.draft = next;
    edit.problem = '';
    draw();
  };
  const name = edit.id === '' ? l10n.t('Add rule') : l10n.t('Edit rule');
  const problemId = edit.problem === '' ? undefined : 'edit-problem';
  const kindChoices = [...new Set(['', ...kinds, draft.kind])].map((value) => ({ value, label: kindLabel(value) }));
  return html`<form
    class="rule pl-form"
    aria-label=${name}
    novalidate
    @submit=${(event: Event) => {
      event.preventDefault();
      save();
    }}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.isComposing) cancel();
    }}
  >
    ${choice({
      id: 'edit-answer',
      label: l10n.t('Answer'),
      value: draft.answer,
      choices: [
        { value: 'allow_once', label: l10n.t('Allow') },
        { value: 'reject_once', label: l10n.t('Reject') },
        { value: 'ask', label: l10n.t('Ask') },
      ],
      change: (answer) => change({ ...draft, answer }),
    })}
    ${choice({
      id: 'edit-kind',
      label: l10n.t('Requests for'),
      value: draft.kind,
      choices: kindChoices,
      change: (kind) => change({ ...draft, kind }),
    })}
    ${ruleFields({ draft, id: 'edit', fields: textFields, problemId, change })}
    ${choice({
      id: 'edit-where',
      label: l10n.t('Where'),
      value: draft.where,
      choices: [
        { value: '', label: l10n.t('Anywhere') },
        { value: 'inside', label: l10n.t('Inside the workspace') },
        { value: 'outside', label: l10n.t('Outside the workspace') },
      ],
      change: (where) => change({ ...draft, where }),
    })}
    ${scopeChoice('edit-scope', edit.scope, scopes, (scope) => {
      edit.scope = scope;
      draw();
    })}
    ${coversLine(edit.rule, edit.scope)}
    <div class="problem" id="edit-problem" role="alert">${edit.problem}</div>
    <div class="btns">
      <button type="submit" class="btn primary" ?disabled=${edit.isSaving}>${l10n.t('Save')}</button
      ><button type="button" class="btn" @click=${cancel}>${l10n.t('Cancel')}</button>
    </div>
  </form>`;
}

function kindLabel(value: string): string {
  if (value === '') return l10n.t('Anything');
  return (value.split(',') as ToolKind[]).map(kindWords).join(', ');
}
