import * as l10n from '@vscode/l10n';

/** A key of the page, or several with one meaning, and what it does. */
export interface PageKey {
  readonly keys: readonly string[];
  readonly does: string;
}

/** The keys that work in one part of the page. */
export interface PageKeys {
  readonly part: string;
  readonly keys: readonly PageKey[];
}

/** Returns the page's own keys. Keys of commands aren't among them: users can change those. docs/keyboard.md lists the same. */
export function pageKeys(): readonly PageKeys[] {
  return [
    {
      part: l10n.t('Message'),
      keys: [
        { keys: ['Enter'], does: l10n.t('Send') },
        { keys: ['Shift+Enter'], does: l10n.t('Start a new line') },
        { keys: ['Up', 'Down'], does: l10n.t('Insert an earlier or a later message') },
        { keys: ['Ctrl+Shift+V'], does: l10n.t('Paste as text, however long') },
        { keys: ['@'], does: l10n.t('Add a file or folder') },
        { keys: ['/'], does: l10n.t('List the agent’s commands') },
        { keys: ['Tab'], does: l10n.t('Insert what the agent suggests, if the message is empty') },
        { keys: ['Shift+Tab'], does: l10n.t('Switch to the next mode, if the agent has modes') },
        { keys: ['Ctrl+Enter'], does: l10n.t('Allow the request in sight, if nothing is typed') },
        { keys: ['Ctrl+Backspace'], does: l10n.t('Reject the request in sight, if nothing is typed') },
        { keys: ['1', '9'], does: l10n.t('Answer the request in sight, if nothing is typed') },
        { keys: ['Ctrl+Shift+Enter'], does: l10n.t('Reject the request in sight and send what is typed') },
        { keys: ['Alt+Up'], does: l10n.t('Go to the transcript') },
        { keys: ['Escape'], does: l10n.t('Close what is open, else stop the turn') },
      ],
    },
    {
      part: l10n.t('Transcript'),
      keys: [
        { keys: ['Up', 'Down'], does: l10n.t('Go to the previous or the next entry') },
        { keys: ['Alt+Up', 'Alt+Down'], does: l10n.t('Go to the previous or the next turn') },
        { keys: ['Home', 'End'], does: l10n.t('Go to the first or the last entry') },
        { keys: ['Enter'], does: l10n.t('Open or close an entry, or open the diff that has the focus') },
        { keys: ['Space'], does: l10n.t('Show more of the diff that has the focus') },
        { keys: ['Ctrl+C'], does: l10n.t('Copy the entry that has the focus') },
        { keys: ['1', '9'], does: l10n.t('Answer the request that has the focus, or the one in sight') },
      ],
    },
    {
      part: l10n.t('Open sessions'),
      keys: [
        { keys: ['Left', 'Right'], does: l10n.t('Go to the previous or the next tab') },
        { keys: ['Enter'], does: l10n.t('Show the session') },
        { keys: ['Delete'], does: l10n.t('Close the session') },
      ],
    },
    {
      part: l10n.t('Sessions'),
      keys: [
        { keys: ['/'], does: l10n.t('Search sessions') },
        { keys: ['Up', 'Down'], does: l10n.t('Go to the previous or the next session') },
        { keys: ['Enter'], does: l10n.t('Open the session') },
        { keys: ['F2'], does: l10n.t('Rename the session') },
        { keys: ['Delete'], does: l10n.t('Delete the session, with a way to undo it') },
        { keys: ['Space'], does: l10n.t('Select the session, or no longer') },
        { keys: ['Shift+Up', 'Shift+Down'], does: l10n.t('Select several sessions') },
        { keys: ['Ctrl+A'], does: l10n.t('Select all sessions') },
        { keys: ['Shift+F10'], does: l10n.t('List what can be done with the session') },
        { keys: ['Escape'], does: l10n.t('Clear the selection, else return to the message') },
      ],
    },
    {
      part: l10n.t('Everywhere'),
      keys: [
        { keys: ['Escape'], does: l10n.t('Close what is open, else return to the message') },
        { keys: ['Ctrl+F'], does: l10n.t('Find in the session') },
        { keys: ['F3', 'Shift+F3'], does: l10n.t('Go to the next or the previous match') },
        { keys: ['?'], does: l10n.t('Show this list, outside text fields') },
      ],
    },
  ];
}

export { keyLabel } from '../base/keyLabel';
