import { readWords } from '../line/programs';
import { chainKey, type ShellCommand } from '../line/shellLine';
import { isInside, type PlacedRequest } from './placedRequest';
import { piecesOf } from './ruleRequest';

const movers = /^(mv|move|move-item|gvfs-move|mmv)$/;

/** Returns whether a command moves files out of the workspace, where no change of theirs is seen or undone. */
export function movesOut(command: ShellCommand, request: PlacedRequest): boolean {
  const texts = command.words.map(({ text }) => text);
  const { program, plain, args } = readWords(texts);
  const isGio = /^(gio|kioclient\d?|git)$/.test(program) && /^(move|mv)$/.test(plain[0] ?? '');
  if (!movers.test(program) && !isGio) return false;
  const option = args.findIndex((word) => /^(-[a-zA-Z]*t|--target-directory)$/.test(word));
  const attached = args.find((word) => /^(-t.|--target-directory=)/.test(word));
  const target = attached ?? (option >= 0 ? args[option + 1] : plain.length > 1 ? plain.at(-1) : undefined);
  const word = command.words.find(({ text }) => text === target);
  if (!word) return false;
  // Not a place at all, such as the trash.
  if (/^[a-z]+:\//i.test(word.text)) return true;
  const folders = command.folders.map(chainKey);
  const pieces = piecesOf(word).filter((piece) => !piece.startsWith('-'));
  return request.words.some(
    (place) => pieces.includes(place.word) && folders.includes(place.folder) && !isInside(place.realPath, request),
  );
}
