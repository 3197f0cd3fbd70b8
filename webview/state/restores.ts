import { Emitter, type Event } from '../../src/shared/values/event';
import type { EntryId, SessionKey } from '../../src/shared/values/ids';
import type { FromWebview, ToWebview, TurnFiles } from '../../src/shared/pages/messages';
import type { RestorePreview } from '../../src/shared/changes/review';

/** The open form of a user's message: the preview of a restore, or the message as editable text. */
export interface OpenRestore {
  readonly mode: 'restore' | 'edit';
  /** Whether only the conversation is edited, and all files stay as they are. */
  readonly keepsFiles: boolean;
  /** The edited text. */
  readonly text: string;
  /** Undefined until the host has responded, or if there is nothing to restore. */
  readonly preview: RestorePreview | undefined;
  /** The files with a conflict that the user has selected. */
  readonly overwrite: ReadonlySet<string>;
  /** Whether the host is busy. */
  readonly isBusy: boolean;
}

/** A user's message in its session. */
export interface MessagePlace {
  readonly session: SessionKey;
  readonly entry: EntryId;
}

/**
 * The messages whose files can be restored, and their open forms. Outlives the entries on the page, so that edited text is still there when
 * the user returns from another session.
 */
export class Restores {
  private readonly post: (message: FromWebview) => void;
  private readonly announce: (sentence: string) => void;
  private readonly offers = new Map<SessionKey, ReadonlySet<EntryId>>();
  /** By session and turn. */
  private readonly work = new Map<SessionKey, ReadonlyMap<number, TurnFiles>>();
  private readonly opened = new Map<string, OpenRestore>();
  private readonly changed = new Emitter<Partial<MessagePlace>>();

  /** Fires for a message, or for all messages of a session. */
  readonly onDidChange: Event<Partial<MessagePlace>> = this.changed.event;

  constructor(post: (message: FromWebview) => void, announce: (sentence: string) => void) {
    this.post = post;
    this.announce = announce;
  }

  /** Handles a message from the host. Returns whether it was for this class. */
  take(message: ToWebview): boolean {
    switch (message.type) {
      case 'checkpoints':
        this.offers.set(message.session, new Set(message.entries));
        this.work.set(message.session, new Map(message.changed.map((files) => [files.turn, files])));
        this.changed.fire({ session: message.session });
        return true;
      case 'restorePreview': {
        const { session, preview } = message;
        this.patch({ session, entry: preview.entry }, { preview, overwrite: new Set(), isBusy: false });
        return true;
      }
      case 'restored':
        this.close(message);
        if (message.sentence !== '') this.announce(message.sentence);
        return true;
      default:
        return false;
    }
  }

  /** Returns whether the files can be restored to before this message. */
  isOffered({ session, entry }: MessagePlace): boolean {
    return this.offers.get(session)?.has(entry) === true;
  }

  /** Returns what a turn changed if its tool calls don't show all of it. */
  filesOf(session: SessionKey, turn: number): TurnFiles | undefined {
    return this.work.get(session)?.get(turn);
  }

  /** Returns the open form of a message. */
  at(place: MessagePlace): OpenRestore | undefined {
    return this.opened.get(nameOf(place));
  }

  /**
   * Opens the preview or the editable text, and asks the host what would happen to the files unless they are kept. Text
   * that was already edited stays.
   */
  open(place: MessagePlace, mode: OpenRestore['mode'], original: string, keepsFiles = false): void {
    const known = this.at(place);
    if (known?.isBusy) return;
    const text = known?.text ?? original;
    const nothingYet = { preview: undefined, overwrite: new Set<string>(), isBusy: false };
    this.opened.set(nameOf(place), { mode, keepsFiles, text, ...nothingYet });
    if (!keepsFiles && this.isOffered(place)) this.post({ type: 'previewRestore', ...place });
    this.changed.fire(place);
  }

  edit(place: MessagePlace, text: string): void {
    this.patch(place, { text });
  }

  /** Sets whether a file with a conflict is restored, too. */
  setOverwrite(place: MessagePlace, uri: string, isTicked: boolean): void {
    const overwrite = new Set(this.at(place)?.overwrite);
    if (isTicked) overwrite.add(uri);
    else overwrite.delete(uri);
    this.patch(place, { overwrite });
  }

  /** Does what the form shows: restores files, sends the edited text, or both. */
  restore(place: MessagePlace): void {
    this.send(place, this.at(place)?.keepsFiles === true);
  }

  /** Sends the edited text and leaves all files as they are. */
  sendOnly(place: MessagePlace): void {
    this.send(place, true);
  }

  private send(place: MessagePlace, keepFiles: boolean): void {
    const state = this.at(place);
    if (!state || state.isBusy) return;
    const { mode, text, overwrite } = state;
    this.patch(place, { isBusy: true });
    const sent = mode === 'edit' ? { text } : {};
    const kept = keepFiles ? { keepFiles: true as const } : {};
    this.post({ type: 'restore', ...place, overwrite: keepFiles ? [] : [...overwrite], ...sent, ...kept });
  }

  close(place: MessagePlace): void {
    if (this.opened.delete(nameOf(place))) this.changed.fire({ session: place.session, entry: place.entry });
  }

  private patch(place: MessagePlace, fields: Partial<OpenRestore>): void {
    const known = this.at(place);
    if (!known) return;
    this.opened.set(nameOf(place), { ...known, ...fields });
    this.changed.fire(place);
  }
}

function nameOf({ session, entry }: MessagePlace): string {
  return `${session} ${entry}`;
}
