import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Session } from '../../session/session';
import type { PromptListing } from '../../shared/pages/prompts';
import { showInformation } from '../ui/notifications';
import { pickOne } from '../ui/quickInput';

type Choice = vscode.QuickPickItem & ({ readonly prompt?: PromptListing } & { readonly creates?: true });

/** Lets the user select a prompt, or create one. */
export async function pickPrompt(listings: readonly PromptListing[]): Promise<PromptListing | 'new' | undefined> {
  const items: Choice[] = [];
  let folder: string | undefined;
  for (const prompt of listings) {
    if (prompt.folder !== folder) {
      folder = prompt.folder;
      items.push({ label: promptGroup(folder), kind: vscode.QuickPickItemKind.Separator });
    }
    const { name, title, description } = prompt;
    items.push({
      label: `/${name}`,
      description: title,
      ...(description === '' ? {} : { detail: description }),
      prompt,
    });
  }
  const placeHolder =
    listings.length === 0
      ? l10n.t('There are no prompts yet. Create one to use it again and again.')
      : l10n.t('Select a prompt to put into your message');
  const creates: Choice = {
    label: l10n.t('New prompt…'),
    iconPath: new vscode.ThemeIcon('add'),
    alwaysShow: true,
    creates: true,
  };
  const picked = await pickOne([...items, creates], { placeHolder, matchOnDescription: true, matchOnDetail: true });
  return picked?.creates ? 'new' : picked?.prompt;
}

/** The heading of the prompts of a folder, or of the user's own. */
function promptGroup(folder: string): string {
  return folder === '' ? l10n.t('Your prompts') : l10n.t('Prompts of {0}', folder);
}

/** Lets the user select one of the messages that they sent in a session, the newest first. */
export async function pickMessage(session: Session | undefined): Promise<string | undefined> {
  const texts = new Set(
    [...(session?.transcript.entries.values() ?? [])].reverse().flatMap((entry) => {
      if (entry.kind !== 'user_message') return [];
      const text = entry.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
      return text.trim() === '' ? [] : [text];
    }),
  );
  if (texts.size === 0) {
    void showInformation(l10n.t('This session has no messages of yours yet.'));
    return undefined;
  }
  const items = [...texts].map((text) => {
    const [label = '', ...rest] = text.trim().split('\n');
    return { label, detail: rest.join(' ').trim(), iconPath: new vscode.ThemeIcon('comment'), text };
  });
  return (await pickOne(items, { placeHolder: l10n.t('Select the message to save') }))?.text;
}
