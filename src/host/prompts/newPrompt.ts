import { basename, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showHidden } from '../../shared/text/visibleText';
import { askText, pickOne } from '../ui/quickInput';
import { showError } from '../ui/notifications';
import { targetColumn } from '../ui/targetColumn';
import { createTextFile } from '../workspaceFiles/newFile';
import { readPrompt, type PromptPlace } from './promptFolder';
import type { PromptConsent } from './promptConsent';
import type { PromptLibrary } from './promptLibrary';

export interface NewPromptNeeds {
  readonly library: Pick<PromptLibrary, 'places' | 'listings' | 'refresh'>;
  readonly consent: Pick<PromptConsent, 'wrote'>;
}

/** Names that Windows reserves, and characters that it or Markdown links don't allow. */
const badName = /^(?:con|prn|aux|nul|com\d|lpt\d)$|[\s/\\:*?"<>|{}#%]|^[.-]|\.$/i;
const nameLength = 60;

/** Creates a prompt with what it needs in it, and opens it. */
export async function newPrompt(needs: NewPromptNeeds): Promise<void> {
  const fields = l10n.t('Review the changes on {0}, and look for {1}.', '{{branch}}', '{{what}}');
  const text = `---\ntitle: \ndescription: \n---\n\n${fields}\n`;
  await create(needs, { title: l10n.t('New prompt'), text, isOwnText: false });
}

/** Saves a message as a prompt, and opens it. */
export async function savePrompt(needs: NewPromptNeeds, message: string): Promise<void> {
  const body = message.replaceAll('\r\n', '\n').trim();
  // Without a front matter, a message that begins with a line would be taken for one.
  const text = body.startsWith('---') ? `---\ntitle: \n---\n\n${body}\n` : `${body}\n`;
  await create(needs, { title: l10n.t('Save as prompt'), text, isOwnText: true });
}

async function create(
  { library, consent }: NewPromptNeeds,
  { title, text, isOwnText }: { readonly title: string; readonly text: string; readonly isOwnText: boolean },
): Promise<void> {
  const place = await askPlace(library.places, title);
  const name = place && (await askName(library, place, title, isOwnText ? proposedName(text) : ''));
  if (!place || name === undefined) return;
  const path = join(place.path, `${name}.md`);
  const root = place.folder === '' ? place.path : join(place.path, '..', '..');
  if (!(await createTextFile(path, text, root))) {
    void showError(l10n.t('{0} already exists, so it wasn’t written.', showHidden(path)));
    return;
  }
  const written = isOwnText ? await readPrompt(path) : undefined;
  if (written && typeof written !== 'string') await consent.wrote(written.file.name, written.text);
  library.refresh();
  const options = { viewColumn: targetColumn(), preview: false };
  await vscode.window.showTextDocument(vscode.Uri.file(path), options);
}

async function askPlace(places: readonly PromptPlace[], title: string): Promise<PromptPlace | undefined> {
  if (places.length < 2) return places[0];
  const items = places.map((place) => ({
    label: place.folder === '' ? l10n.t('Your prompts') : l10n.t('Prompts of {0}', place.folder),
    description:
      place.folder === '' ? l10n.t('in every folder on this computer') : l10n.t('shared with the folder’s files'),
    detail: place.path,
    place,
  }));
  return (await pickOne(items, { title, placeHolder: l10n.t('Select where to save the prompt') }))?.place;
}

async function askName(
  library: NewPromptNeeds['library'],
  place: PromptPlace,
  title: string,
  value: string,
): Promise<string | undefined> {
  const listings = await library.listings();
  const taken = new Set(
    listings.filter(({ folder }) => folder === place.folder).map(({ id }) => basename(id).toLowerCase()),
  );
  const validateInput = (typed: string) => {
    const name = typed.trim();
    if (name === '') return l10n.t('Enter a name.');
    if (name.length > nameLength || badName.test(name))
      return l10n.t('Use at most {0} letters, digits, hyphens, and dots.', nameLength);
    return taken.has(`${name.toLowerCase()}.md`) ? l10n.t('Another prompt has this name.') : undefined;
  };
  const prompt = l10n.t('Name to type after /');
  const typed = await askText({ title, prompt, value, validateInput });
  const name = typed?.trim() ?? '';
  return name === '' || validateInput(name) !== undefined ? undefined : name;
}

/** Returns a name from the first words of a text. */
export function proposedName(text: string): string {
  const words = text.replace(/\{\{[^{}]*\}\}/g, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
  const name = words.slice(0, 4).join('-').toLowerCase().slice(0, 40).replace(/-+$/, '');
  return badName.test(name) ? '' : name;
}
