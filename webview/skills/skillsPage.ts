import * as l10n from '@vscode/l10n';
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { repeat } from 'lit-html/directives/repeat.js';
import type { PromptListing } from '../../src/shared/pages/prompts';
import type {
  AgentInstructions,
  FromSkillsPage,
  InstructionFile,
  ListedSkill,
  RefusedPrompt,
  SkillsShown,
  ToSkillsPage,
} from '../../src/shared/pages/skillsPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { icon } from '../base/icon';

/** The tab of what agents read in a folder besides messages, or that of the prompts. */
export class SkillsPage {
  private readonly root: HTMLElement;
  private readonly post: (message: FromSkillsPage) => void;
  private readonly tab: 'prompts' | 'instructions';
  private shown: SkillsShown | undefined;

  constructor(root: HTMLElement, post: (message: FromSkillsPage) => void, tab: 'prompts' | 'instructions') {
    this.root = root;
    this.tab = tab;
    this.post = post;
  }

  receive({ shown }: ToSkillsPage): void {
    this.shown = shown;
    this.draw();
  }

  private draw(): void {
    const { shown, tab } = this;
    const heading = tab === 'prompts' ? l10n.t('Prompts') : l10n.t('Instructions and skills');
    render(
      html`<main class="pl-skills">
        <h1>${heading}</h1>
        ${shown ? this.body(shown) : nothing}
      </main>`,
      this.root,
    );
  }

  private body(shown: SkillsShown): TemplateResult {
    if (this.tab === 'prompts') return this.prompts(shown.prompts, shown.refused);
    return html`${this.instructions(shown)} ${shown.folders.length === 0 ? nothing : this.skills(shown.skills)}`;
  }

  private instructions({ folders, folder, agents }: SkillsShown): TemplateResult {
    return html`<section aria-labelledby="instructions">
      <h2 id="instructions">${l10n.t('Instructions and rules')}</h2>
      ${
        folders.length === 0
          ? html`<p class="lead" role="status">${l10n.t('Open a folder to see what agents read in it.')}</p>`
          : html`<p class="lead">
                ${l10n.t(
                  'What agents read in this folder at the start of a session. Most also read such files in your home folder, and some in the folders above this one. Other versions of an agent may differ.',
                )}
              </p>
              ${folders.length > 1 ? this.picker(folders, folder) : nothing}
              ${repeat(
                agents,
                ({ id }) => id,
                (agent) => this.agent(agent),
              )}`
      }
    </section>`;
  }

  private picker(folders: readonly string[], folder: number): TemplateResult {
    const choose = ({ target }: Event) => {
      if (target instanceof HTMLSelectElement) this.post({ type: 'setFolder', folder: target.selectedIndex });
    };
    return html`<select aria-label=${l10n.t('Folder')} @change=${choose}>
      ${folders.map((name, at) => html`<option ?selected=${at === folder}>${name}</option>`)}
    </select>`;
  }

  private agent({ id, name, files, missing, others }: AgentInstructions): TemplateResult {
    return html`<div class="agent" role="group" aria-label=${name}>
      <h3>${name}</h3>
      <div class="what">
        <ul>
          ${files.map((file) => this.file(file))}
          ${
            missing === undefined
              ? nothing
              : html`<li class="row">
                  <span class="path">${missing}</span><span class="dim">${l10n.t('missing')}</span
                  ><button
                    type="button"
                    class="btn sm"
                    aria-label=${l10n.t('Create from… {0} for {1}', missing, name)}
                    @click=${() => this.post({ type: 'createFrom', agent: id })}
                  >
                    ${l10n.t('Create from…')}
                  </button>
                </li>`
          }
        </ul>
        ${others.length === 0 ? nothing : html`<p class="dim xs">${l10n.t('Would also read {0}', others.join(', '))}</p>`}
      </div>
    </div>`;
  }

  private file({ path, replacedBy, link }: InstructionFile): TemplateResult {
    const notes = [
      replacedBy === undefined ? '' : l10n.t('not read, because {0} is', replacedBy),
      link === undefined ? '' : l10n.t('link to {0}', link),
    ].filter((note) => note !== '');
    return html`<li class="row">
      ${this.fileButton(path, path)}${notes.map((note) => html`<span class="dim">${note}</span>`)}
    </li>`;
  }

  private fileButton(path: string, label: string): TemplateResult {
    return html`<button
      type="button"
      class="btn link path"
      title=${l10n.t('Open {0}', showHiddenOnOneLine(path))}
      @click=${() => this.post({ type: 'openFile', path })}
    >
      ${showHiddenOnOneLine(label)}
    </button>`;
  }

  private skills(skills: readonly ListedSkill[]): TemplateResult {
    return html`<section aria-labelledby="skills">
      <h2 id="skills">${l10n.t('Skills')}</h2>
      ${
        skills.length === 0
          ? html`<p class="lead" role="status">
              ${l10n.t(
                'There are no skills in this folder. Most agents find them in .agents/skills, Claude in .claude/skills: a folder for each, with a file SKILL.md.',
              )}
            </p>`
          : html`<ul class="list">
              ${repeat(
                skills,
                ({ path }) => path,
                ({ path, name, description, agents }) =>
                  html`<li>
                    <div class="row">
                      ${this.fileButton(path, name)}<span class="dim xs">${agents.join(', ')}</span>
                    </div>
                    ${description === '' ? nothing : html`<p dir="auto">${description}</p>`}
                    <p class="dim xs path">${showHiddenOnOneLine(path)}</p>
                  </li>`,
              )}
            </ul>`
      }
    </section>`;
  }

  private prompts(prompts: readonly PromptListing[], refused: readonly RefusedPrompt[]): TemplateResult {
    return html`<section>
      <p class="lead">
        ${l10n.t(
          'Texts that you send more than once. Type / at the start of a message to use one. Prompts of a folder are in .parley/prompts.',
        )}
      </p>
      <div class="btns">
        <button type="button" class="btn" @click=${() => this.post({ type: 'newPrompt' })}>
          ${icon('add')}${l10n.t('New prompt')}
        </button>
      </div>
      ${
        prompts.length === 0
          ? html`<p role="status">${l10n.t('There are no prompts yet.')}</p>`
          : html`<ul class="list">
              ${repeat(
                prompts,
                ({ id }) => id,
                (prompt) => this.prompt(prompt),
              )}
            </ul>`
      }
      ${refused.map(
        ({ name, reason }) =>
          html`<p class="row" role="note">
            ${icon('warning', 'attn')}<span class="path">${l10n.t('{0} is skipped: {1}', name, reason)}</span>
          </p>`,
      )}
    </section>`;
  }

  private prompt({ id, name, title, description, folder }: PromptListing): TemplateResult {
    const about = [title, description].filter((text) => text !== '').join(' · ');
    return html`<li>
      <div class="row">
        <b class="path">/${name}</b
        ><span class="dim xs">${folder === '' ? l10n.t('yours') : l10n.t('of {0}', showHiddenOnOneLine(folder))}</span>
        <span class="acts">
          <button
            type="button"
            class="btn sm"
            aria-label=${l10n.t('Use /{0}', name)}
            @click=${() => this.post({ type: 'usePrompt', id })}
          >
            ${l10n.t('Use')}
          </button>
          <button
            type="button"
            class="btn sm"
            aria-label=${l10n.t('Open /{0}', name)}
            @click=${() => this.post({ type: 'openPrompt', id })}
          >
            ${l10n.t('Open')}
          </button>
        </span>
      </div>
      ${about === '' ? nothing : html`<p dir="auto">${about}</p>`}
    </li>`;
  }
}
