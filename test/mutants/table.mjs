// @ts-check

/**
 * How many mutants were noticed, by folder and by kind.
 * @param {readonly { file: string, kind: string, noticed: string | undefined }[]} results
 * @returns {string}
 */
export function tableOf(results) {
  return [
    ...rows(results, 'folder', ({ file }) =>
      file
        .split('/')
        .slice(0, file.startsWith('src/host/') ? 3 : 2)
        .join('/'),
    ),
    '',
    ...rows(results, 'kind', ({ kind }) => kind),
  ].join('\n');
}

/**
 * @template {{ noticed: string | undefined }} T
 * @param {readonly T[]} results
 * @param {string} title
 * @param {(result: T) => string} nameOf
 */
function rows(results, title, nameOf) {
  const names = [...new Set(results.map(nameOf))].sort();
  return [
    `${title.padEnd(28)} noticed  of`,
    ...names.map((name) => {
      const own = results.filter((result) => nameOf(result) === name);
      const noticed = own.filter((result) => result.noticed !== undefined).length;
      return `${name.padEnd(28)} ${String(noticed).padStart(7)} ${String(own.length).padStart(3)}`;
    }),
  ];
}
