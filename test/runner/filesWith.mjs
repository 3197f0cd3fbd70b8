// @ts-check

/**
 * The suite files that hold tests with one of these parts of names. A part can be put together in the file from pieces between commas. If one is
 * found nowhere, all files count.
 * @template {readonly [path: string, text: string]} File
 * @param {readonly File[]} files
 * @param {readonly string[]} parts
 * @returns {File[]}
 */
export function filesWith(files, parts) {
  const has = (/** @type {File} */ [, text], /** @type {string} */ part) => text.includes(part.replace(/ ›$/, ''));
  const found = parts.map((part) => {
    const whole = files.filter((file) => has(file, part));
    if (whole.length > 0) return whole;
    return files.filter((file) => part.split(', ').some((piece) => has(file, piece)));
  });
  if (found.some((some) => some.length === 0)) return [...files];
  return files.filter((file) => found.some((some) => some.includes(file)));
}
