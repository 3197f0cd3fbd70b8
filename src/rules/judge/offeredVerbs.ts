import { readWords } from '../line/programs';
import type { ShellCommand } from '../line/shellLine';

/*
 * What a rule with any arguments is offered for: programs and verbs whose arguments can't make them run or change
 * something else, print secrets, or send the user's tokens to another server. For all others, the offer is the line
 * itself. The user can always type more.
 */

/** Programs that only read and print. */
const readers =
  /^(ls|cat|head|tail|wc|grep|egrep|fgrep|rg|diff|cmp|comm|cut|tr|column|nl|fold|which|stat|du|df|realpath|readlink|basename|dirname|pwd|whoami|echo|printf|md5sum|sha1sum|sha256sum|shasum|cksum|hexdump|strings|find)$/;

/** A line has programs and their verbs. `*` is a name, such as that of a script. */
const table = `
  npm|pnpm|yarn test
  npm|pnpm|yarn|bun run *
  npm ls|list|outdated|explain|why
  pnpm|yarn ls|list|outdated|why|info
  git status|log|diff|show|blame|add|commit|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|merge-base|name-rev|cat-file|check-ignore|fetch
  git stash list
  git worktree list
  cargo build|check|test|clippy|doc|tree|metadata
  go build|test|vet|list|doc|version
  docker|podman ps|images|logs|version|info|stats|top|port|diff|history
  docker|podman compose ps|logs|images|top
  terraform|tofu validate|version
  gh pr view|list|status|diff|checks
  gh issue view|list|status
  gh run view|list|watch
  gh repo view|list
  gh release|workflow|label|gist view|list
  gh search code|commits|issues|prs|repos
  glab mr|issue view|list|diff
  aws s3 ls
  aws sts get-caller-identity
  poetry show|check
  brew list|search|outdated
  flutter analyze|doctor
  dart analyze
  rustup show
  nvm ls|current
`;

const offered = new Map<string, readonly (readonly (readonly string[])[])[]>();
for (const line of table.split('\n').filter((one) => one.trim() !== '')) {
  const [programs = '', ...verbs] = line.trim().split(/\s+/);
  const groups = verbs.map((group) => group.split('|'));
  for (const program of programs.split('|')) offered.set(program, [...(offered.get(program) ?? []), groups]);
}

/** Of these, the verb says that it only reads. */
const readingVerb = /^(describe|list)-[a-z-]+$/;
const name = /^[a-z][\w:-]*$/i;

/** Returns the pattern for a command with any arguments; undefined if only the line itself is narrow enough. */
export function offeredPattern({ words, inner, assignments }: ShellCommand): string | undefined {
  if (inner.length > 0 || assignments.length > 0) return undefined;
  const texts = words.map(({ text }) => text);
  const { given, program, before } = readWords(texts);
  // A program in a folder can be any, and options before the verb can change what it does.
  if (given !== program || before.length > 0 || words[0]?.form !== 'literal')
    return isReader(given) ? `${given} *` : undefined;
  if (isReader(given)) return `${given} *`;
  const groups = offered.get(program)?.find((verbs) =>
    verbs.every((names, index) => {
      const word = words[index + 1];
      if (word?.form !== 'literal') return false;
      return names.includes('*') ? name.test(word.text) : names.includes(word.text);
    }),
  );
  const length =
    groups?.length ?? (program === 'aws' && readingVerb.test(texts[2] ?? '') && name.test(texts[1] ?? '') ? 2 : 0);
  return length === 0 ? undefined : `${texts.slice(0, length + 1).join(' ')} *`;
}

function isReader(program: string): boolean {
  return readers.test(program);
}
