import { html, nothing, type TemplateResult } from 'lit-html';
import { hasOpenMenu, openMenu, type MenuItem } from './menu';

export interface MenuButton {
  /** The name of the button. */
  readonly label: string;
  /** Its tooltip, which is its name if absent. */
  readonly title?: string;
  /** The name of the menu. That of the button if absent. */
  readonly menu?: string;
  readonly className: string;
  /** Its place in the tab order, if it isn't its own. */
  readonly tabIndex?: number;
  readonly content: TemplateResult;
  /** What stands below the entries. */
  readonly foot?: string;
  /** The entries, when the menu is opened. */
  readonly items: () => readonly MenuItem[];
}

/** Renders a button that opens a menu. */
export function menuButton({
  label,
  title = label,
  menu = label,
  className,
  tabIndex,
  content,
  foot,
  items,
}: MenuButton): TemplateResult {
  const open = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLElement) || hasOpenMenu(currentTarget)) return;
    openMenu(currentTarget, menu, items(), foot === undefined ? {} : { foot });
  };
  return html`<button
    type="button"
    class=${className}
    tabindex=${tabIndex ?? nothing}
    aria-haspopup="menu"
    aria-expanded="false"
    aria-label=${label}
    title=${title}
    @click=${open}
  >
    ${content}
  </button>`;
}
