import * as l10n from '@vscode/l10n';
import { html, type TemplateResult } from 'lit-html';
import { isComposing } from '../base/composition';
import { hasOpenMenu, openMenu } from '../base/menu';

/** The title in the header. */
export interface TitleProps {
  readonly title: string;
  rename(title: string): void;
  showSessions(): void;
}

/** Renders the title as a button that offers the list of sessions and another name. F2 renames at once. */
export function titleButton(props: TitleProps): TemplateResult {
  const { title } = props;
  const rename = (name: string) => props.rename(name);
  const open = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement) || hasOpenMenu(currentTarget)) return;
    openMenu(currentTarget, title, [
      { label: l10n.t('All sessions'), run: () => props.showSessions() },
      { label: l10n.t('Rename'), run: () => startRename(currentTarget, title, rename) },
    ]);
  };
  return html`<button
    type="button"
    class="name clip"
    aria-haspopup="menu"
    aria-expanded="false"
    .textContent=${title}
    @click=${open}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'F2' || !(event.currentTarget instanceof HTMLElement)) return;
      event.preventDefault();
      startRename(event.currentTarget, title, rename);
    }}
  ></button>`;
}

/** Shows a field over the title. Enter and leaving it rename, and Escape leaves the name as it is. */
function startRename(button: HTMLElement, title: string, rename: (title: string) => void): void {
  const header = button.closest<HTMLElement>('.pl-header');
  if (!header || header.querySelector('.rename')) return;
  const field = document.createElement('input');
  field.type = 'text';
  field.className = 'rename';
  field.value = title;
  field.setAttribute('aria-label', l10n.t('Session name'));
  let isOver = false;
  const end = (isMeant: boolean) => {
    if (isOver) return;
    isOver = true;
    const value = field.value.trim();
    const hadFocus = document.activeElement === field;
    field.remove();
    if (hadFocus) button.focus({ preventScroll: true });
    if (isMeant && value !== '' && value !== title) rename(value);
  };
  field.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (isComposing(event) || (event.key !== 'Enter' && event.key !== 'Escape')) return;
    event.preventDefault();
    end(event.key === 'Enter');
  });
  field.addEventListener('blur', () => end(true));
  header.append(field);
  field.focus({ preventScroll: true });
  field.select();
}
