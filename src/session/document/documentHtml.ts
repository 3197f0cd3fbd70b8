import * as l10n from '@vscode/l10n';
import MarkdownIt from 'markdown-it';
import { assertNever } from '../../shared/values/assert';
import { statusWord } from './documentMarkdown';
import { styles } from './documentStyles';
import { escapeHtml } from '../../shared/text/escapeHtml';
import { turnEndLine } from './turnEndLine';
import type {
  ExportedAttachment,
  ExportedOutput,
  ExportedSession,
  ExportedTurn,
  ExportedItem,
} from './exportedSession';

/** Images that browsers show and that can't contain scripts. */
const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/**
 * Returns a document as one HTML file without scripts that loads nothing. `language` is the language of Parley's own
 * words.
 */
export function documentHtml({ session, turns, exportedAt }: ExportedSession, language: string): string {
  const { agent, model, folder } = session;
  const title = session.title === '' ? l10n.t('Session with {0}', agent.name) : session.title;
  const about: readonly (readonly [string, string])[] = [
    [l10n.t('Agent'), [agent.name, agent.version].filter(Boolean).join(' ')],
    ...(model === undefined ? [] : ([[l10n.t('Model'), model]] as const)),
    [l10n.t('Folder'), folder],
    [l10n.t('Exported'), exportedAt],
  ];
  return `<!doctype html>
<html lang="${escapeHtml(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${styles}</style>
</head>
<body>
<header>
<h1 dir="auto">${escapeHtml(title)}</h1>
<dl>${about.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${escapeHtml(value)}</dd></div>`).join('')}</dl>
</header>
<main>
${turns.map((turn) => turnHtml(turn, agent.name)).join('\n')}
</main>
</body>
</html>
`;
}

function turnHtml({ turn, startedAt, items, end }: ExportedTurn, agentName: string): string {
  const time =
    startedAt === undefined ? '' : `<time datetime="${escapeHtml(startedAt)}">${escapeHtml(startedAt)}</time>`;
  const inner = items.map((item) => itemHtml(item, agentName)).join('\n');
  const head = turn === 0 ? '' : `<div class="head"><h2>${escapeHtml(l10n.t('Turn {0}', turn))}</h2>${time}</div>\n`;
  const foot = end ? `\n<p class="end">${escapeHtml(turnEndLine(end, agentName))}</p>` : '';
  return `<section class="turn">\n${head}${inner}${foot}\n</section>`;
}

function itemHtml(item: ExportedItem, agentName: string): string {
  const html = ownHtml(item, agentName);
  if (item.subagent === undefined || html === '') return html;
  return `<div class="nested"><p class="by">${escapeHtml(l10n.t('Subagent {0}', item.subagent))}</p>${html}</div>`;
}

function ownHtml(item: ExportedItem, agentName: string): string {
  switch (item.type) {
    case 'message': {
      const attached = item.attachments.map(attachmentHtml).join('');
      const declined = item.declined
        ? `<p class="note">${escapeHtml(l10n.t('Declined by {0} and removed from its context.', agentName))}</p>`
        : '';
      const text =
        item.from === 'user' ? `<div class="text" dir="auto">${escapeHtml(item.text)}</div>` : markdownHtml(item.text);
      const reported = item.reported
        ? `<p class="note">${escapeHtml(l10n.t('Reported by {0}. You didn’t send this message here.', agentName))}</p>`
        : '';
      const speaker = item.from === 'user' ? l10n.t('You') : agentName;
      return `<article class="${item.from}"><p class="by">${escapeHtml(speaker)}</p>${text}${attached}${declined}${reported}</article>`;
    }
    case 'thought':
      return item.text.trim() === '' ? '' : folded('thought', l10n.t('Thought'), markdownHtml(item.text));
    case 'toolCall': {
      const how = escapeHtml([statusWord(item.status), item.permission ?? ''].filter(Boolean).join(', '));
      const head = `${escapeHtml(item.title)} <span class="how">${how}</span>`;
      const output = item.output.map(outputHtml).join('');
      if (output === '') return `<div class="tool">${head}</div>`;
      return `<details class="tool"><summary>${head}</summary>${output}</details>`;
    }
    case 'plan': {
      const inner =
        'text' in item
          ? markdownHtml(item.text)
          : `<ul class="plan">${item.items.map(({ status, content }) => `<li class="${escapeHtml(status)}">${escapeHtml(content)}</li>`).join('')}</ul>`;
      return `<div class="card"><p class="by">${escapeHtml(l10n.t('Plan'))}</p>${inner}</div>`;
    }
    case 'notice':
      return `<p class="note ${escapeHtml(item.severity)}"><b>${escapeHtml(item.title)}</b> ${escapeHtml(item.description ?? '')}</p>`;
    case 'error':
      return `<p class="note error"><b>${escapeHtml(item.title)}</b> ${escapeHtml(item.cause ?? '')}</p>`;
    case 'compaction':
      return folded('thought', l10n.t('Conversation compacted'), markdownHtml(item.summary));
    case 'question':
      return `<div class="card"><p>${escapeHtml(item.message)}</p><pre>${escapeHtml(item.answer ?? item.state)}</pre></div>`;
    case 'subagent':
      return `<p class="note"><b>${escapeHtml(l10n.t('Subagent {0}', item.title))}</b> ${escapeHtml(item.description ?? '')} <span class="how">${escapeHtml(item.state)}</span></p>`;
    default:
      return assertNever(item);
  }
}

function folded(name: string, title: string, inner: string): string {
  return `<details class="${name}"><summary>${escapeHtml(title)}</summary>${inner}</details>`;
}

function outputHtml(output: ExportedOutput): string {
  switch (output.type) {
    case 'text':
      return `<pre>${escapeHtml(output.text)}</pre>`;
    case 'attachment':
      return attachmentHtml(output.attachment);
    case 'diff':
      return `<figure><figcaption>${escapeHtml(output.path)}</figcaption><pre class="diff">${diffHtml(output.diff)}</pre></figure>`;
    case 'command':
      return `<pre class="command">$ ${escapeHtml(output.command)}${output.output === '' ? '' : `\n${escapeHtml(output.output)}`}</pre>${
        output.changed
          ? `<p class="note">${escapeHtml(l10n.t('The agent changed this output after the command ended'))}</p>`
          : ''
      }`;
    default:
      return assertNever(output);
  }
}

function diffHtml(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      const sign = line[0];
      if (sign === '+') return `<ins>${escapeHtml(line)}</ins>`;
      if (sign === '-') return `<del>${escapeHtml(line)}</del>`;
      return escapeHtml(line);
    })
    .join('\n');
}

function attachmentHtml({ type, name, uri, text, mimeType, data }: ExportedAttachment): string {
  const shown = escapeHtml(name === '' ? l10n.t('Unknown content') : name);
  if (type === 'image' && mimeType !== undefined && shownImages.has(mimeType) && /^[\w+/=\s]*$/.test(data ?? '')) {
    return `<figure><img src="data:${mimeType};base64,${(data ?? '').replace(/\s/g, '')}" alt="${shown}"></figure>`;
  }
  if (text !== undefined) return folded('thought', name, `<pre>${escapeHtml(text)}</pre>`);
  return `<p class="attached">${shown}${uri === undefined ? '' : ` <span class="how">${escapeHtml(uri)}</span>`}</p>`;
}

/** Renders an agent's Markdown: no HTML, no images from elsewhere, links only to the web, headings below the page's. */
const markdown = createMarkdown();

function markdownHtml(text: string): string {
  return `<div class="prose" dir="auto">${markdown.render(text)}</div>`;
}

function createMarkdown(): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: false, linkify: true });
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  md.validateLink = (href) => /^(?:https?|mailto):/i.test(href);
  const { rules } = md.renderer;
  rules['image'] = (tokens, index) => {
    const token = tokens[index];
    const src = String(token?.attrGet('src') ?? '');
    const alt = token?.content === undefined || token.content === '' ? src : token.content;
    return `<a href="${escapeHtml(src)}" rel="noreferrer">${escapeHtml(alt)}</a>`;
  };
  rules['link_open'] = (tokens, index, options, _env, self) => {
    tokens[index]?.attrSet('rel', 'noreferrer');
    return self.renderToken(tokens, index, options);
  };
  const heading = (tokens: readonly { tag: string }[], index: number, slash: string) =>
    `<${slash}h${Math.min(6, Number(tokens[index]?.tag.slice(1)) + 2)}>`;
  rules['heading_open'] = (tokens, index) => heading(tokens, index, '');
  rules['heading_close'] = (tokens, index) => heading(tokens, index, '/');
  return md;
}
