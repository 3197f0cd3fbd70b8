import * as l10n from '@vscode/l10n';

/** The host puts its bundle of translations into the page; without one everything is in English. */
export function configureWords(): void {
  const contents = document.querySelector<HTMLMetaElement>('meta[name="parley-l10n"]')?.content ?? '';
  if (contents !== '') l10n.config({ contents });
}
