import type * as vscode from 'vscode';
import type { ClientContext } from '../../session/services';
import type { SessionKey } from '../../shared/values/ids';

/** A text that an agent writes to a file. `key` is the same for every spelling of the file's path. */
export interface WrittenText {
  readonly session: SessionKey;
  readonly key: string;
  readonly content: string;
}

/** Writes a text to a file. `replaced` are other texts that the file may have by then, and that may be lost. */
export type WriteText = (content: string, replaced?: readonly string[]) => Promise<void>;

/** What a part does around the work of agents. */
export interface WorkPart {
  /** Prepares a turn. The prompt waits for it. */
  beforeTurn?(session: SessionKey): Promise<void>;
  /** What Parley does for the agent during a turn waits for this. */
  beforeWork?(session: SessionKey): Promise<void>;
  /** Performs an agent's write of one file. The promise settles as `write` does. */
  writing?(context: ClientContext, uri: vscode.Uri, write: () => Promise<void>): Promise<void>;
  /** Performs an agent's write of a text: of its own, or of the user's version. Undefined if it isn't about this text. */
  writingText?(written: WrittenText, write: WriteText): Promise<void> | undefined;
  /** Performs an agent's write of several files at once. The promise settles as `write` does. */
  writingAll?(context: ClientContext, paths: readonly string[], write: () => Promise<void>): Promise<void>;
}

/**
 * Where parts join the work of agents. Exists before the agents, and the parts need agents, so they join before the first
 * agent starts.
 */
export class AgentWork implements Required<WorkPart> {
  private readonly parts: WorkPart[] = [];

  join(part: WorkPart): void {
    this.parts.push(part);
  }

  async beforeTurn(session: SessionKey): Promise<void> {
    await Promise.all(this.parts.map(async (part) => part.beforeTurn?.(session)));
  }

  async beforeWork(session: SessionKey): Promise<void> {
    await Promise.all(this.parts.map(async (part) => part.beforeWork?.(session)));
  }

  writing(context: ClientContext, uri: vscode.Uri, write: () => Promise<void>): Promise<void> {
    return around(this.parts, write, (part, inner) => part.writing?.(context, uri, inner));
  }

  writingText(written: WrittenText, write: WriteText): Promise<void> {
    for (const part of this.parts) {
      const work = part.writingText?.(written, write);
      if (work) return work;
    }
    return write(written.content);
  }

  writingAll(context: ClientContext, paths: readonly string[], write: () => Promise<void>): Promise<void> {
    return around(this.parts, write, (part, inner) => part.writingAll?.(context, paths, inner));
  }
}

/** Lets each part perform what the parts after it perform, and the last one `write`. */
function around(
  parts: readonly WorkPart[],
  write: () => Promise<void>,
  perform: (part: WorkPart, inner: () => Promise<void>) => Promise<void> | undefined,
): Promise<void> {
  const outer = parts.reduceRight((inner, part) => () => perform(part, inner) ?? inner(), write);
  return outer();
}
