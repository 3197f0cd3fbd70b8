import * as l10n from '@vscode/l10n';
import { html, render, type TemplateResult } from 'lit-html';
import { createRef, ref } from 'lit-html/directives/ref.js';
import { assertNever } from '../../src/shared/values/assert';
import { parleyTabs, type FromParleyPage, type ParleyTab, type ToParleyPage } from '../../src/shared/pages/parleyPage';
import { RulesPage } from '../rules/rulesPage';
import { SkillsPage } from '../skills/skillsPage';
import { UsagePage } from '../usage/usagePage';
import { AgentsView } from './agentsView';
import { PresetsView } from './presetsView';
import { SetupView } from './setupView';

/** The page “Parley”: a row of tabs, and the one that is selected. What was typed in a tab is still there when the user returns to it. */
export class ParleyPage {
  private readonly root: HTMLElement;
  private readonly post: (message: FromParleyPage) => void;
  private readonly selected: (tab: ParleyTab) => void;
  private readonly panels = new Map(parleyTabs.map((tab) => [tab, document.createElement('div')]));
  private readonly list = createRef<HTMLElement>();
  private readonly agents: AgentsView;
  private readonly presets: PresetsView;
  private readonly prompts: SkillsPage;
  private readonly instructions: SkillsPage;
  private readonly rules: RulesPage;
  private readonly usage: UsagePage;
  private readonly setup: SetupView;
  private tab: ParleyTab | undefined;

  /** `selected` hears of each tab that is shown. */
  constructor(root: HTMLElement, post: (message: FromParleyPage) => void, selected: (tab: ParleyTab) => void) {
    this.root = root;
    this.post = post;
    this.selected = selected;
    this.agents = new AgentsView(this.panel('agents'), post);
    this.presets = new PresetsView(this.panel('presets'), post);
    this.prompts = new SkillsPage(this.panel('prompts'), post, 'prompts');
    this.instructions = new SkillsPage(this.panel('instructions'), post, 'instructions');
    this.rules = new RulesPage(this.panel('rules'), post);
    this.usage = new UsagePage(this.panel('usage'), post);
    this.setup = new SetupView(this.panel('setup'), post);
    document.title = l10n.t('Parley');
    for (const [tab, panel] of this.panels) {
      panel.id = `panel-${tab}`;
      panel.setAttribute('role', 'tabpanel');
      panel.setAttribute('aria-labelledby', `tab-${tab}`);
    }
  }

  receive(message: ToParleyPage): void {
    switch (message.type) {
      case 'tab':
        this.show(message.tab);
        return;
      case 'agents':
        this.agents.receive(message);
        return;
      case 'presets':
        this.presets.receive(message);
        return;
      case 'skills':
        this.prompts.receive(message);
        this.instructions.receive(message);
        return;
      case 'rules':
      case 'focusRule':
      case 'ruleSaved':
        this.rules.receive(message);
        return;
      case 'usage':
        this.usage.receive(message);
        return;
      case 'setup':
        this.setup.receive(message);
        return;
      default:
        assertNever(message);
    }
  }

  private panel(tab: ParleyTab): HTMLElement {
    const panel = this.panels.get(tab);
    if (!panel) throw new Error(`There is no tab ${tab}.`);
    return panel;
  }

  private show(tab: ParleyTab): void {
    this.tab = tab;
    this.selected(tab);
    for (const [name, panel] of this.panels) panel.hidden = name !== tab;
    this.draw();
  }

  private draw(): void {
    render(
      html`<div class="pl-own">
        <div class="tabs" role="tablist" aria-label=${l10n.t('Parley')} ${ref(this.list)} @keydown=${this.pressed}>
          ${parleyTabs.map((tab) => this.button(tab))}
        </div>
        ${[...this.panels.values()]}
      </div>`,
      this.root,
    );
  }

  private button(tab: ParleyTab): TemplateResult {
    const isSelected = tab === this.tab;
    return html`<button
      type="button"
      role="tab"
      id="tab-${tab}"
      aria-selected=${isSelected ? 'true' : 'false'}
      aria-controls="panel-${tab}"
      tabindex=${isSelected ? '0' : '-1'}
      @click=${() => this.choose(tab)}
    >
      ${tabName(tab)}
    </button>`;
  }

  private readonly pressed = (event: KeyboardEvent): void => {
    const at = parleyTabs.findIndex((tab) => tab === this.tab);
    const last = parleyTabs.length - 1;
    const isRightToLeft = getComputedStyle(this.root).direction === 'rtl';
    const next = isRightToLeft ? 'ArrowLeft' : 'ArrowRight';
    const previous = isRightToLeft ? 'ArrowRight' : 'ArrowLeft';
    const to = { [next]: at === last ? 0 : at + 1, [previous]: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    const tab = to === undefined ? undefined : parleyTabs[to];
    if (tab === undefined || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.choose(tab);
    this.list.value?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  };

  private choose(tab: ParleyTab): void {
    this.show(tab);
    this.post({ type: 'showTab', tab });
  }
}

function tabName(tab: ParleyTab): string {
  switch (tab) {
    case 'agents':
      return l10n.t('Agents');
    case 'presets':
      return l10n.t('Presets');
    case 'prompts':
      return l10n.t('Prompts');
    case 'instructions':
      return l10n.t('Instructions');
    case 'rules':
      return l10n.t('Rules');
    case 'usage':
      return l10n.t('Usage');
    case 'setup':
      return l10n.t('Setup');
    default:
      return assertNever(tab);
  }
}
