import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { RequestKey } from '../../../src/shared/values/ids';
import type { ChosenScope, RuleOffer, WrittenRule } from '../../../src/shared/permissions/permissionRules';
import type { SavedAnswer } from '../../../src/shared/transcript/transcript';
import { ruleSentence } from '../../../src/shared/permissions/ruleWords';
import { showHiddenOnOneLine } from '../../../src/shared/text/visibleText';
import { draftOf, ruleOf, textFields, type RuleDraft } from '../../ruleForm/ruleDraft';
import { choice, coversLine, ruleFields, scopeChoice } from '../../ruleForm/ruleFields';
import type { RuleMessage } from '../../state/ruleOffers';

/** What the form asks its view to do. */
export interface RequestRuleActions {
  offer(answer: SavedAnswer): void;
  save(rule: WrittenRule, scope: ChosenScope): void;
  /** Draws the request again. */
  draw(): void;
  /** The form was closed, and the focus returns to what opened it. */
  closed(): void;
}

/** The form in a request that saves a rule: the exact rule, its scope, and what it covers in words. */
export class RequestRule {
  private readonly actions: RequestRuleActions;
  private readonly request: RequestKey;
  private answer: SavedAnswer | undefined;
  private offer: RuleOffer | undefined;
  private at = 0;
  private draft: RuleDraft | undefined;
  private scope: ChosenScope = 'workspace';
  private problem = '';
  private isSaving = false;
  /** The rule that the form begins with: the best one for this request. */
  private quick: WrittenRule | undefined;

  constructor(request: RequestKey, actions: RequestRuleActions) {
    this.request = request;
    this.actions = actions;
  }

  /** The answer of the rule that is being edited. */
  get open(): SavedAnswer | undefined {
    return this.answer;
  }

  /** Asks for the rule that the menu offers. */
  prepare(): void {
    this.actions.offer('allow_once');
  }

  show(answer: SavedAnswer): void {
    this.answer = answer;
    this.offer = undefined;
    this.problem = '';
    this.isSaving = false;
    this.actions.offer(answer);
    this.actions.draw();
  }

  close(): void {
    if (this.answer === undefined) return;
    this.answer = undefined;
    this.problem = '';
    this.actions.draw();
    this.actions.closed();
  }

  /** Handles a response. Returns whether the form has just got its fields. */
  take(message: RuleMessage): boolean {
    if (message.request !== this.request) return false;
    if (message.type === 'ruleOffer' && message.offer.state === 'ready') {
      const [best] = message.offer.rules;
      if (best?.answer === 'allow_once') this.quick = best;
    }
    if (message.type === 'ruleProblem') {
      this.problem = message.sentence;
      this.isSaving = false;
      return false;
    }
    if (this.answer === undefined) return false;
    const { offer } = message;
    // A late response for the other answer doesn't belong to this form.
    if (offer.state === 'ready' && offer.rules[0]?.answer !== this.answer) return false;
    this.offer = offer;
    this.choose(0);
    return true;
  }

  render(): TemplateResult | typeof nothing {
    const { answer, offer, draft } = this;
    if (answer === undefined) return nothing;
    const title = answer === 'allow_once' ? l10n.t('Always allow') : l10n.t('Always reject');
    if (!offer) return html`<div class="rule" role="status">${l10n.t('Loading rules…')}</div>`;
    if (offer.state === 'none') {
      return html`<div class="rule" role="group" aria-label=${title}>
        <p class="covers" role="status">${offer.reason}</p>
        <div class="btns">${this.backButton()}</div>
      </div>`;
    }
    return draft ? this.form(title, offer.rules, draft) : nothing;
  }

  /** Returns the pattern of the best rule and where it would count, for the entry that leads to it. Undefined until it is known. */
  quickWords(): string | undefined {
    const text = this.quick && patternOf(this.quick);
    return text === undefined ? undefined : l10n.t('{0} in this workspace', showHiddenOnOneLine(text));
  }

  private form(title: string, rules: readonly WrittenRule[], draft: RuleDraft): TemplateResult {
    const rule = ruleOf(draft);
    const id = `rule-${this.request.replace(/[^\w-]/g, '-')}`;
    const problemId = this.problem === '' ? undefined : `${id}-problem`;
    const save = (event: Event) => {
      event.preventDefault();
      if (this.isSaving) return;
      this.isSaving = true;
      this.actions.save(rule, this.scope);
      this.actions.draw();
    };
    const change = (next: RuleDraft) => {
      this.draft = next;
      this.problem = '';
      this.actions.draw();
    };
    return html`<form class="rule pl-form" aria-label=${title} novalidate @submit=${save}>
      ${
        rules.length === 1
          ? nothing
          : choice({
              id: `${id}-offer`,
              label: l10n.t('Rule'),
              value: String(this.at),
              choices: rules.map((one, at) => ({ value: String(at), label: ruleSentence(one) })),
              change: (at) => {
                this.choose(Number(at));
                this.actions.draw();
              },
            })
      }
      ${ruleFields({ draft, id, fields: textFields.filter((field) => draft.texts[field] !== undefined), problemId, change })}
      ${scopeChoice(`${id}-scope`, this.scope, ['session', 'workspace', 'user'], (scope) => {
        this.scope = scope;
        this.actions.draw();
      })}
      ${coversLine(rule, this.scope)}
      <div class="problem" id="${id}-problem" role="alert">${this.problem}</div>
      <div class="btns">
        <button type="submit" class="btn primary" ?disabled=${this.isSaving}>
          ${draft.answer === 'allow_once' ? l10n.t('Allow and remember') : l10n.t('Reject and remember')}</button
        >${this.backButton()}
      </div>
    </form>`;
  }

  private backButton(): TemplateResult {
    return html`<button type="button" class="btn" @click=${() => this.close()}>${l10n.t('Back')}</button>`;
  }

  private choose(at: number): void {
    const rule = this.offer?.state === 'ready' ? this.offer.rules[at] : undefined;
    this.at = at;
    this.draft = rule && draftOf(rule);
    this.problem = '';
  }
}

/** Returns the pattern of a rule with a single one. A rule without any covers more than a short label can say. */
function patternOf({ host, command, title, path, mcpServer, mcpTool }: WrittenRule): string | undefined {
  if (mcpServer !== undefined && mcpTool !== undefined) return `${mcpServer}: ${mcpTool}`;
  return host ?? command ?? title ?? (path === undefined ? undefined : [path].flat().join(', '));
}
