/** A node of a parsed command line. Its types are those of tree-sitter's grammar for Bash. */
export interface ShellNode {
  readonly type: string;
  /** Whether the grammar has a name for it. Others are signs and keywords. */
  readonly isNamed: boolean;
  /** Whether it is an error, or something that is missing in the line. */
  readonly isError: boolean;
  /** The range in the line, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  readonly children: readonly ShellNode[];
}

/** Parses command lines for Bash and shells like it. */
export interface ShellParser {
  /** Returns undefined if the line takes too long to parse, or nests too deeply. */
  parse(line: string): ShellNode | undefined;
}
