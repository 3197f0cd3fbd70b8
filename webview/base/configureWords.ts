import * as l10n from '@vscode/l10n';

/** Loads the translations that the host embeds in the page. Without any, the page is in English. */
export function configureWords(): void {
  const contents = document.querySelector<HTMLMetaElement>('meta[name="parley-l10n"]')?.content ?? '';
  if (contents !== '') l10n.config({ contents });
}
