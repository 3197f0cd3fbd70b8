/*
 * Rules that allow more than one kind of command. Parley never offers them, but users can type them, so they carry a
 * warning.
 */

/** Programs that run whatever their arguments say: shells, interpreters, and launchers. */
const runsAnything =
  /^(((ba|z|da|k|a|fi|c|tc)?sh|pwsh|powershell|cmd|python[\d.]*|node|deno|bun|ruby|perl|php|lua|java|tsx|ts-node|osascript|eval|source|\.|awk|gawk|sed|vim?|emacs)|(env|sudo|doas|su|ssh|xargs|find|fd|parallel|watch|time|timeout|nice|nohup|busybox|toybox|cross-env|cross-env-shell|dotenv|env-cmd|npx|bunx|pnpx|uvx|entr|nodemon|watchexec|concurrently|hyperfine|strace|script|flock|chroot|start|call|wsl|tmux|screen|rsync|scp|tar|make|just|task|rake|docker|podman|kubectl|psql|mysql|sqlite3|mongosh|code|open|xdg-open|git|gh|glab|npm|pnpm|yarn|cargo|go|aws|gcloud|az|terraform|helm|mvn|gradle|dotnet|pip|pip3|uv|poetry|bundle|brew|apt|apt-get))$/;
/** Verbs after which a launcher runs what follows. */
const launches = /^(run|exec|x|dlx|config|api|compose|-[a-z]+|--[a-z-]+)$/;

/** Returns what a pattern that allows is too wide for: any command at all, or anything that a program can run. */
export function wideRule(pattern: string): { readonly program?: string } | undefined {
  if (/^\/\^?\.[*+]/.test(pattern)) return {};
  const words = pattern.trim().split(/\s+/);
  const [program = ''] = words;
  if (/[*?]/.test(program)) return {};
  const wild = words.findIndex((word) => /[*?]/.test(word));
  const name = program.replace(/^.*[\\/]/s, '').replace(/\.(exe|cmd|bat)$/i, '');
  if (wild < 1 || !runsAnything.test(name)) return undefined;
  return words.slice(1, wild).every((word) => launches.test(word)) && words[wild] === '*'
    ? { program: name }
    : undefined;
}
