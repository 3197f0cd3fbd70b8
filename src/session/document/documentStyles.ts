/** The style sheet of an exported page, in light and dark, and for paper. */
export const styles = `
:root { color-scheme: light dark; --fg: #1f2328; --dim: #59636e; --bg: #ffffff; --box: #f6f8fa; --line: #d1d9e0; --said: #eaf2fc; --add: #dafbe1; --del: #ffebe9; --link: #0550ae; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --fg: #e6e6e6; --dim: #a0a8b0; --bg: #1e1e1e; --box: #2a2a2a; --line: #444a50; --said: #223247; --add: #12361f; --del: #4a1d1f; --link: #79b8ff; --bad: #ff8f87; } }
body { margin: 0 auto; max-width: 50rem; padding: 1.5rem; background: var(--bg); color: var(--fg); font: 15px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: .85rem; font-weight: 600; margin: 0; color: var(--dim); }
h3, h4, h5, h6 { font-size: 1rem; margin: 1rem 0 .4rem; }
a { color: var(--link); }
dl { margin: 0; color: var(--dim); font-size: .85rem; }
dl div { display: flex; gap: .5rem; }
dt { min-width: 6rem; } dd { margin: 0; }
.turn { border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: .75rem; }
.head { display: flex; justify-content: space-between; gap: 1rem; color: var(--dim); font-size: .85rem; }
.by { margin: .75rem 0 .25rem; font-size: .85rem; font-weight: 600; }
.user { background: var(--said); border-radius: 6px; padding: .1rem .9rem .7rem; margin: .5rem 0; }
.text { white-space: pre-wrap; }
.prose > :first-child { margin-top: 0; } .prose > :last-child { margin-bottom: 0; }
pre, code { font-family: ui-monospace, Consolas, monospace; font-size: .85rem; }
pre { background: var(--box); border: 1px solid var(--line); border-radius: 6px; padding: .6rem .8rem; margin: .5rem 0; white-space: pre-wrap; }
:not(pre) > code { background: var(--box); border-radius: 4px; padding: .1em .3em; }
.diff ins, .diff del { text-decoration: none; display: inline-block; min-width: 100%; }
.diff ins { background: var(--add); } .diff del { background: var(--del); }
table { border-collapse: collapse; } th, td { border: 1px solid var(--line); padding: .25rem .6rem; text-align: start; }
blockquote { margin: .5rem 0; padding-inline-start: .8rem; border-inline-start: 3px solid var(--line); color: var(--dim); }
.tool, .thought, .note, .attached, .card { margin: .4rem 0; font-size: .9rem; }
.card { border: 1px solid var(--line); border-radius: 6px; padding: .1rem .9rem .7rem; }
.how, .end, .thought > summary { color: var(--dim); font-size: .85rem; }
summary { cursor: pointer; }
.error b { color: var(--bad); }
.nested { border-inline-start: 2px solid var(--line); padding-inline-start: .8rem; }
.plan .completed { color: var(--dim); text-decoration: line-through; }
figure { margin: .5rem 0; } figcaption { color: var(--dim); font-size: .85rem; } img { max-width: 100%; }
@media print { body { max-width: none; padding: 0; font-size: 10.5pt; } pre, .user, .card { break-inside: avoid-page; } details:not([open])::details-content { content-visibility: visible; block-size: auto; } h2, .by { break-after: avoid; } }
`;
