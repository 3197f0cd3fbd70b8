import { isHarmlessProgram, isPackageManager } from '../danger/otherDangers';
import { gitVerbs, usualName, type Reading } from '../line/programs';
import { looseCommand, looseWords, type ShellCommand } from '../line/shellLine';
import type { ShellWord } from '../line/shellWords';

/* A program that isn't known may run what its words say: `tini -- rm -rf src`. */

/** Programs that are looked for among the words of others. */
const known =
  /^(rm|unlink|shred|srm|rimraf|del-cli|trash|trash-put|truncate|dd|git|find|xargs|sudo|doas|(ba|z|da|k|a)?sh|fish|busybox|python|node|perl|ruby|php|npx|bunx)$/;
/** Options whose value is probably a command line. */
const lineOption = /^(-[cex]|--(exec|execute|command|cmd|run|shell|script|eval|hook|on-\w+))$/;
const mostWords = 20;
const installers =
  /^(apt|dnf|yum|apk|zypper|snap|flatpak|choco|winget|scoop|pkg|port|pacman|emerge|nix|nix-env|conda|mamba|micromamba|asdf|mise|gh|glab|docker|kubectl|aws|gcloud|az|man|apropos|systemctl)$/;

/** Returns the commands that may be in the words of a program that isn't known. */
export function hiddenCommands({ program }: Reading, { words, inner }: ShellCommand): readonly ShellCommand[] {
  if (isHarmlessProgram(program) || isPackageManager(program) || installers.test(program)) return [];
  const isInner = (word: ShellWord) => inner.some((command) => command.words.includes(word));
  return words.slice(1, mostWords).flatMap((word, index) => {
    if (isInner(word)) return [];
    const before = words[index]?.text ?? '';
    const [, option = before, value = word.text] = /^(--[\w-]+)=(.*)$/s.exec(word.text) ?? [];
    if (index + 1 > 1 || option !== before) {
      if (lineOption.test(option) && /\s/.test(value)) return [loose(looseWords(value))];
    }
    if (!known.test(usualName(word.text)) || word.form !== 'literal') return [];
    const rest = words.slice(index + 2);
    if (usualName(word.text) === 'git' && !gitVerbs.has(rest[0]?.text ?? '')) return [];
    return [loose([word, ...(rest[0]?.text === '--' ? rest.slice(1) : rest)])];
  });
}

function loose(words: readonly ShellWord[]): ShellCommand {
  return looseCommand(words, words.map(({ written }) => written).join(' '));
}
