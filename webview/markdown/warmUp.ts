import { renderMarkdown } from './markdown';
import { MarkdownSplitter } from './markdownSplit';
import type { RenderQueue, RenderTask } from '../base/renderQueue';

const sample = `## Heading

A paragraph with **bold**, _emphasis_, \`code\` and a [link](src/a.ts:1), over
two lines, see https://example.com/.

- one item with \`code\`
- another **item**

1. first
2. second

| a | b |
|---|--:|
| 1 | 2 |

> quoted

\`\`\`ts
const a = 1;
\`\`\`

The end.
`;
/** Number of rounds. After these, the engine has compiled the code, and more help little. */
const rounds = 30;

/** A page that has just opened has better things to do, and no agent answers that soon. */
const afterMs = 1000;

/**
 * Runs the markdown code while the page is idle, a moment after it has opened. Code runs several times slower at first, and the agent's first
 * answer shouldn't pay for that.
 */
export function warmUp(queue: RenderQueue): void {
  let round = 0;
  const task: RenderTask = {
    step(deadline) {
      while (round < rounds) {
        round++;
        for (const piece of new MarkdownSplitter().push(sample)) {
          if (piece.type === 'blocks') renderMarkdown(piece.source);
        }
        if (performance.now() > deadline) return round >= rounds;
      }
      return true;
    },
  };
  setTimeout(() => queue.addIdle(task), afterMs);
}
