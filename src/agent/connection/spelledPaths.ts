import type { SessionChannel } from '../../acp/shape/sessionChannel';
import { withUpperDrive } from '../../disk/paths';
import type { ContentBlock } from '../../shared/transcript/content';

/*
 * VS Code writes drive letters in lower case, and most other programs for Windows in upper case. Agents compare the
 * folders of sessions as text, so everything that is sent to them has the usual spelling.
 */

interface Folders {
  readonly cwd: string;
  readonly additionalDirectories: readonly string[];
}

/** Returns what opens a session with its folders as the system spells them. */
export function spelledFolders<T extends Folders>(setup: T, platform: NodeJS.Platform = process.platform): T {
  if (platform !== 'win32') return setup;
  const additionalDirectories = setup.additionalDirectories.map((folder) => withUpperDrive(folder, platform));
  return { ...setup, cwd: withUpperDrive(setup.cwd, platform), additionalDirectories };
}

/** Returns the spellings of a folder under which an agent may have stored sessions. */
export function spellingsOf(folder: string, platform: NodeJS.Platform = process.platform): readonly string[] {
  const usual = withUpperDrive(folder, platform);
  // Earlier versions of Parley, and other clients in VS Code, sent the editor's spelling.
  const editors = platform === 'win32' ? usual.replace(/^[A-Z](?=:)/, (letter) => letter.toLowerCase()) : usual;
  return editors === usual ? [usual] : [usual, editors];
}

/** Returns a channel that sends the URIs of files with the usual spelling of drive letters. */
export function spelledChannel(channel: SessionChannel, platform: NodeJS.Platform = process.platform): SessionChannel {
  if (platform !== 'win32') return channel;
  const { steer } = channel;
  return {
    ...channel,
    prompt: (content, onUnsupported) => channel.prompt(content.map(spelledBlock), onUnsupported),
    ...(steer ? { steer: (content: readonly ContentBlock[]) => steer(content.map(spelledBlock)) } : {}),
  };
}

function spelledBlock(block: ContentBlock): ContentBlock {
  if (!('uri' in block)) return block;
  const uri = block.uri.replace(fileDrive, (start) => start.replace(/.$/, (letter) => letter.toUpperCase()));
  return uri === block.uri ? block : { ...block, uri };
}

/** The beginning of a file's URI up to its drive letter. VS Code encodes the colon. */
const fileDrive = /^file:\/\/\/[a-z](?=(?::|%3A)(?:[/?#]|$))/i;
