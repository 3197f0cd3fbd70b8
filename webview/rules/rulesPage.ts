import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type {
  ChosenScope,
  FromRulesPage,
  ListedRule,
  RuleScope,
  RulesShown,
  ToRulesPage,
  WrittenRule,
} from '../../src/shared/permissions/permissionRules';
import { kindWords, originWords, ruleSentence } from '../../src/shared/permissions/ruleWords';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';
import { RuleEdit, ruleEdit } from './ruleEdit';

/** The tab of permission rules. Typed text disappears only when it is saved or the user cancels. */
export class RulesPage {
  private readonly root: HTMLElement;
  private readonly post: (message: FromRulesPage) => void;
  private shown: RulesShown | undefined;
  private edit: RuleEdit | undefined;
  private marked = '';

  constructor(root: HTMLElement, post: (message: FromRulesPage) => void) {
    this.root = root;
    this.post = post;
  }

  receive(message: ToRulesPage): void {
    switch (message.type) {
      case 'rules':
        this.take(message.shown);
        return;
      case 'focusRule':
        this.marked = message.id;
        this.draw();
        this.focusRule(message.id);
        return;
      case 'ruleSaved':
        this.saved(message.id, message.problem);
    }
  }

  private take(shown: RulesShown): void {
    const focused = document.activeElement?.closest('[data-rule]')?.getAttribute('data-rule');
    const before = this.shown?.rules.findIndex(({ id }) => id === focused) ?? -1;
    this.shown = shown;
    this.draw();
    if (focused === undefined || focused === null || document.activeElement?.closest('[data-rule]')) return;
    // The focused rule was deleted or changed.
    const next = shown.rules[Math.min(Math.max(before, 0), shown.rules.length - 1)];
    if (next) this.focusRule(next.id);
    else this.root.querySelector<HTMLElement>('.add')?.focus();
  }

  private saved(id: string, problem: string | undefined): void {
    const { edit } = this;
    if (edit?.id !== id) return;
    edit.isSaving = false;
    if (problem === undefined) this.edit = undefined;
    else edit.problem = problem;
    this.draw();
    if (problem === undefined) this.root.querySelector<HTMLElement>('.add')?.focus();
    else this.root.querySelector<HTMLElement>('form input')?.focus();
  }

  private focusRule(id: string): void {
    const rule = this.root.querySelector<HTMLElement>(`[data-rule="${CSS.escape(id)}"]`);
    rule?.focus();
    rule?.scrollIntoView({ block: 'nearest' });
  }

  private draw(): void {
    const { shown } = this;
    const heading = l10n.t('Permission rules');
    render(
      html`<main class="pl-rules">
        <h1>${heading}</h1>
        <p class="lead">
          ${l10n.t(
            'Rules answer agents’ permission requests for you. Rules that reject win over rules that ask, and these over rules that allow.',
          )}
        </p>
        ${shown ? this.body(shown) : nothing}
      </main>`,
      this.root,
    );
  }

  private body(shown: RulesShown): TemplateResult {
    const isNew = this.edit?.id === '';
    return html`${shown.notes.map((note) => html`<p class="line" role="note">${icon('warning', 'attn')}<span>${note}</span></p>`)}
      <div class="btns">
        <button type="button" class="btn add" @click=${() => this.add()}>${icon('add')}${l10n.t('Add rule')}</button>
      </div>
      ${isNew ? this.form() : nothing}
      <div class="said" role="status">
        ${
          shown.canUndo
            ? html`<span>${l10n.t('Deleted the rule')}</span
                ><button type="button" class="btn link sm" @click=${() => this.post({ type: 'undoDelete' })}>
                  ${l10n.t('Undo')}
                </button>`
            : nothing
        }
      </div>
      ${
        shown.rules.length === 0
          ? html`<p role="status">
                ${l10n.t('There are no rules yet. Add one here, or choose “Always allow…” in a permission request.')}
              </p>
              ${isNew ? nothing : this.example()}`
          : html`<ul aria-label=${l10n.t('Rules')}>
              ${repeat(
                shown.rules,
                ({ id }, at) => `${id} ${String(at)}`,
                (rule, at) => this.row(rule, at, shown),
              )}
            </ul>`
      }`;
  }

  /** Shows someone without rules what one looks like. It isn't in use, and the form can start from it. */
  private example(): TemplateResult {
    return html`<section class="pl-card item example" aria-label=${l10n.t('Example')}>
      <div class="xs">${l10n.t('Example, not in use')}</div>
      <div class="h">${icon('check')}<span>${ruleSentence(exampleRule)}</span></div>
      <div class="ind where">
        <span
          >${l10n.t(
            'Agents can then run the tests without asking. “*” stands for any arguments. Other commands on the same line are still asked about.',
          )}</span
        >
      </div>
      <div class="ind">
        <button type="button" class="btn sm" @click=${() => this.add(exampleRule)}>
          ${l10n.t('Start from this example')}
        </button>
      </div>
    </section>`;
  }

  private row(listed: ListedRule, at: number, { rules, locale }: RulesShown): TemplateResult {
    const { id, scope, session, rule, problem, lastAnswer } = listed;
    const sentence = rule ? ruleSentence(rule) : showHiddenOnOneLine(problem?.text ?? '');
    const isSameList = (other: ListedRule | undefined) => other?.scope === scope && other.session?.key === session?.key;
    const origin = originWords(scope, session?.title);
    const last = lastAnswer ? lastWords(lastAnswer, locale) : l10n.t('Hasn’t answered yet');
    const icons = { allow_once: 'check', reject_once: 'circle-slash', ask: 'question' } as const;
    return html`<li
      class="pl-card item ${this.marked === id ? 'marked' : ''}"
      data-rule=${id}
      tabindex="-1"
      aria-current=${this.marked === id ? 'true' : nothing}
    >
      <div class="h">${icon(rule ? icons[rule.answer] : 'error', rule ? '' : 'err')}<span>${sentence}</span></div>
      ${problem ? html`<div class="ind problem">${problem.sentence}</div>` : nothing}
      <div class="ind where"><span>${origin}</span><span>${last}</span></div>
      ${
        this.edit?.id === id
          ? this.form()
          : html`<div class="ind acts">
              ${isChosen(scope) && rule ? this.act('edit', l10n.t('Edit: {0}', sentence), () => this.change(listed)) : nothing}
              ${
                isChosen(scope) && isSameList(rules[at - 1])
                  ? this.act('arrow-up', l10n.t('Move up: {0}', sentence), () => this.move(id, -1))
                  : nothing
              }
              ${
                isChosen(scope) && isSameList(rules[at + 1])
                  ? this.act('arrow-down', l10n.t('Move down: {0}', sentence), () => this.move(id, 1))
                  : nothing
              }
              ${
                isChosen(scope)
                  ? this.act('trash', l10n.t('Delete: {0}', sentence), () => this.post({ type: 'deleteRule', id }))
                  : nothing
              }
              ${
                scope === 'workspaceSettings' || (scope === 'user' && problem)
                  ? this.act('gear', l10n.t('Open settings'), () => this.post({ type: 'openSettings', scope }))
                  : nothing
              }
            </div>`
      }
    </li>`;
  }

  private act(name: string, label: string, run: () => void): TemplateResult {
    return html`<button type="button" class="ib" aria-label=${label} title=${label} @click=${run}>
      ${icon(name)}
    </button>`;
  }

  private form(): TemplateResult | typeof nothing {
    const { edit, shown } = this;
    if (!edit || !shown) return nothing;
    const scopes: readonly ChosenScope[] =
      shown.session || edit.scope === 'session' ? ['session', 'workspace', 'user'] : ['workspace', 'user'];
    return ruleEdit({
      edit,
      scopes,
      draw: () => this.draw(),
      save: () => {
        if (edit.isSaving) return;
        edit.isSaving = true;
        this.post({ type: 'saveRule', id: edit.id, scope: edit.scope, rule: edit.rule });
        this.draw();
      },
      cancel: () => {
        this.edit = undefined;
        this.draw();
        if (edit.id === '') this.root.querySelector<HTMLElement>('.add')?.focus();
        else this.focusRule(edit.id);
      },
    });
  }

  private add(rule: WrittenRule = { answer: 'ask' }): void {
    // Opening the form again keeps what was typed.
    if (this.edit?.id !== '') this.edit = new RuleEdit('', rule, 'workspace');
    this.draw();
    this.root.querySelector<HTMLElement>('#edit-answer')?.focus();
  }

  private change({ id, rule, scope }: ListedRule): void {
    if (!rule || !isChosen(scope)) return;
    this.edit = new RuleEdit(id, rule, scope);
    this.draw();
    this.root.querySelector<HTMLElement>('#edit-answer')?.focus();
  }

  private move(id: string, by: -1 | 1): void {
    this.post({ type: 'moveRule', id, by });
  }
}

const exampleRule: WrittenRule = { command: 'npm test *', answer: 'allow_once' };

function isChosen(scope: RuleScope): scope is ChosenScope {
  return scope === 'session' || scope === 'workspace' || scope === 'user';
}

function lastWords({ at, agent, kind }: NonNullable<ListedRule['lastAnswer']>, locale: string): string {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return l10n.t('Last answered {0}: {1}, {2}', time, showHiddenOnOneLine(agent), kindWords(kind));
}
