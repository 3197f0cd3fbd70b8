/** Which codicon stands before a file's name: what the name tells of a test, a picture, data, prose or code. */
export function fileGlyph(name: string): string {
  const lower = name.toLowerCase();
  if (/(?:^|[._-])(?:test|tests|spec|specs)\.[a-z]+$/.test(lower) || /^test_.*\.py$/.test(lower)) return 'beaker';
  const extension = /\.([a-z0-9]+)$/.exec(lower)?.[1] ?? '';
  if (/^(?:png|jpe?g|gif|webp|avif|bmp|ico|svg|mp[34]|webm|mov|wav|ogg|pdf)$/.test(extension)) return 'file-media';
  if (/^(?:json|jsonc|json5|jsonl|ipynb)$/.test(extension)) return 'json';
  if (/^(?:|md|mdx|txt|rst|adoc|log|csv|tsv|lock|bin|dat)$/.test(extension)) return 'file';
  return 'file-code';
}
