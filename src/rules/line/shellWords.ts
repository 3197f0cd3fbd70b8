import type { ShellNode } from './shellParser';

/** A word of a command. */
export interface ShellWord {
  /** As the program receives it; of a word that isn't literal, as written. */
  readonly text: string;
  readonly written: string;
  /**
   * A `glob` stands for files, a `stream` for a process substitution. What a `dynamic` word stands for is only known
   * when the command runs.
   */
  readonly form: 'literal' | 'glob' | 'stream' | 'dynamic';
}

/** Globs whose meaning depends on the shell's settings, or that can match hidden files. */
const strangeGlob = /[[\]{}\\"'~!^]|(^|\/)\.[^/]*[*?]|\*\*/;
const strangeTypes = /^(ansi_c_string|translated_string|extglob_pattern|regex)$/;
/** Variables that contain only a number. */
const numbers = /^\$[?#$!]$/;

/**
 * Reads one word. `commands` receives the nodes of substitutions in it: their commands run, too. `literalOf` returns
 * the output of a substitution that is known. `strange` receives what shells read differently.
 */
export class WordReader {
  private readonly line: string;
  private readonly commands: (node: ShellNode) => void;
  private readonly literalOf: (node: ShellNode) => string | undefined;
  private readonly strange: (node: ShellNode) => void;

  constructor(
    line: string,
    commands: (node: ShellNode) => void,
    literalOf: (node: ShellNode) => string | undefined,
    strange: (node: ShellNode) => void,
  ) {
    this.line = line;
    this.strange = strange;
    this.commands = commands;
    this.literalOf = literalOf;
  }

  read(node: ShellNode): ShellWord {
    const written = this.line.slice(node.start, node.end);
    const part = this.part(node, written);
    const { text } = part;
    const form = part.form === 'glob' && strangeGlob.test(written) ? 'dynamic' : part.form;
    return form === 'literal' ? { text, written, form } : { text: written, written, form };
  }

  /** Passes every substitution inside a node to `commands`. */
  substitutions(node: ShellNode): void {
    this.checkStrange(node);
    for (const child of node.children) {
      if (child.type === 'command_substitution' || child.type === 'process_substitution') this.commands(child);
      else this.substitutions(child);
    }
  }

  /** Where shells read quotes and signs differently, a text for one is a command for another. */
  private checkStrange(node: ShellNode): void {
    const written = this.line.slice(node.start, node.end);
    const isStrange =
      strangeTypes.test(node.type) ||
      (node.type === 'expansion' && !/^\$\{\w+\}$/.test(written)) ||
      (node.type === 'arithmetic_expansion' && !/^\$\(\([\w\s+*/%-]*\)\)$/.test(written));
    if (isStrange) this.strange(node);
  }

  private part(node: ShellNode, written: string): Pick<ShellWord, 'text' | 'form'> {
    switch (node.type) {
      case 'word':
        return plainWord(written);
      case 'number':
        // Numbers can contain expansions.
        return node.children.length === 0 ? { text: written, form: 'literal' } : this.dynamic(node, written);
      case 'raw_string':
        // In fish, a backslash before the closing quote means that the string continues.
        return { text: written.slice(1, -1), form: written.endsWith("\\'") ? 'dynamic' : 'literal' };
      case 'string':
        return this.quoted(node);
      case 'concatenation':
        return this.joined(node, written);
      case 'simple_expansion':
        return numbers.test(written) ? { text: '0', form: 'literal' } : this.dynamic(node, written);
      case 'command_substitution': {
        const literal = this.literalOf(node);
        if (literal !== undefined) return { text: literal, form: 'literal' };
        this.commands(node);
        return { text: written, form: 'dynamic' };
      }
      case 'process_substitution':
        this.commands(node);
        return { text: written, form: 'stream' };
      default:
        return this.dynamic(node, written);
    }
  }

  private dynamic(node: ShellNode, written: string): Pick<ShellWord, 'text' | 'form'> {
    this.substitutions(node);
    return { text: written, form: 'dynamic' };
  }

  private quoted(node: ShellNode): Pick<ShellWord, 'text' | 'form'> {
    const parts: string[] = [];
    let form: ShellWord['form'] = 'literal';
    let at = node.start + 1;
    const literal = (end: number) =>
      parts.push(this.line.slice(at, end).replace(/\\([$`"\\\n])/g, (_, sign: string) => (sign === '\n' ? '' : sign)));
    for (const child of node.children) {
      if (!child.isNamed || child.type === 'string_content') continue;
      literal(child.start);
      const part = this.part(child, this.line.slice(child.start, child.end));
      parts.push(part.text);
      if (part.form !== 'literal') form = 'dynamic';
      at = child.end;
    }
    literal(node.end - 1);
    return { text: parts.join(''), form };
  }

  private joined(node: ShellNode, written: string): Pick<ShellWord, 'text' | 'form'> {
    const pieces = node.children.map((child) => ({
      child,
      ...this.part(child, this.line.slice(child.start, child.end)),
    }));
    const forms = new Set(pieces.map(({ form }) => form));
    // Unquoted braces make several words of one. Empty ones are passed on.
    const unquoted = pieces.filter(({ child }) => child.type === 'word').map(({ text }) => text);
    const hasBraces = /[{}]/.test(unquoted.join('').replaceAll('{}', ''));
    const isWhole = node.children.every(
      (child, index) => child.start === (node.children[index - 1]?.end ?? node.start),
    );
    if (hasBraces || !isWhole || forms.has('dynamic') || forms.has('stream')) return { text: written, form: 'dynamic' };
    return { text: pieces.map(({ text }) => text).join(''), form: forms.has('glob') ? 'glob' : 'literal' };
  }
}

/** Reads a word without quotes. */
function plainWord(written: string): Pick<ShellWord, 'text' | 'form'> {
  const unescaped = written.replace(/\\[\s\S]/g, 'x');
  const text = written.replace(/\\([\s\S])/g, (_, sign: string) => (sign === '\n' ? '' : sign));
  // Only the user's own home is known.
  if (/^~[^/]/.test(unescaped) || unescaped.endsWith('\\')) return { text, form: 'dynamic' };
  if (/[{}]/.test(unescaped.replaceAll('{}', '')) && unescaped !== '{' && unescaped !== '}')
    return { text, form: 'dynamic' };
  return { text, form: /[*?[]/.test(unescaped) ? 'glob' : 'literal' };
}
