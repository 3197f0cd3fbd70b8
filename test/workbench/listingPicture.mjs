// @ts-check
// Draws the page of the listing as the Marketplace does, to be looked at: out/shots/listing.png.
//   npm run picture
import { mkdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import MarkdownIt from 'markdown-it';
import { listedReadme } from '../release/listing.mjs';
import { inRoot } from '../root.mjs';
import { startBrowser } from './browser.mjs';

/** @param {string} file */
const json = async (file) => JSON.parse(await readFile(inRoot(file), 'utf8'));
const { displayName, description, publisher, icon, galleryBanner } = await json('package.json');
/** @type {Record<string, string>} */
const words = await json('package.nls.json');
/** @param {string} text */
const worded = (text) => text.replace(/^%(.+)%$/, (_, key) => words[key] ?? '');
/** @param {string} path relative to the project */
const inline = async (path) => `data:image/${extname(path).slice(1)};base64,${await readFile(inRoot(path), 'base64')}`;

// Like vsce, which checks the page with this.
const html = new MarkdownIt({ html: true }).render(listedReadme(await readFile(inRoot('README.md'), 'utf8')));
const pictures = [...html.matchAll(/ src="(media\/[^"]+)"/g)].map(([, path = '']) => path);
let body = html;
for (const path of pictures) body = body.replace(`src="${path}"`, `src="${await inline(path)}"`);
const style = `
  body { margin: 0; font: 14px/1.6 "Segoe UI", sans-serif; color: #222; background: #fff; }
  header { display: flex; gap: 24px; padding: 24px 120px; align-items: center; color: #fff; background: ${galleryBanner.color}; }
  header.light { color: #222; }
  header img { width: 128px; height: 128px; }
  h1 { margin: 0; } header p { margin: 4px 0; }
  main { width: 780px; margin: 24px 120px; }
  main img { max-width: 100%; }
  pre, code { background: #f0f0f0; } table { border-collapse: collapse; } td, th { padding: 4px 10px; border: 1px solid #ccc; }
`;
const head = `<header class="${galleryBanner.theme}"><img src="${await inline(icon)}" alt=""><div><h1>${worded(displayName)}</h1><p>${publisher}</p><p>${worded(description)}</p></div></header>`;
const browser = await startBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1240, height: 900 } });
  await page.setContent(`<style>${style}</style>${head}<main>${body}</main>`);
  await page.waitForFunction(() => [...document.images].every(({ complete }) => complete));
  const broken = await page.evaluate(
    () => [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).length,
  );
  if (broken > 0) throw new Error(`${broken} pictures of the listing can't be shown.`);
  await mkdir(inRoot('out', 'shots'), { recursive: true });
  await page.screenshot({ path: inRoot('out', 'shots', 'listing.png'), fullPage: true });
} finally {
  await browser.close();
}
