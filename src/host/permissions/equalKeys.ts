/**
 * Returns a key that an object in a valid JSON text has twice, with the keys that lead there. `JSON.parse` takes the last one, other readers
 * the first, so nobody can say which one was meant.
 */
export function equalKey(json: string): string | undefined {
  const open: { readonly keys: Set<string>; readonly path: string; isList: boolean; last: string }[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs;
  let isKey = false;
  for (const [token] of json.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === '{' || token === '[') {
      const path = inner ? pathOf(inner) : '';
      open.push({ keys: new Set(), path, isList: token === '[', last: '' });
      isKey = token === '{';
    } else if (token === '}' || token === ']') {
      open.pop();
      isKey = false;
    } else if (token === ',') isKey = inner?.isList === false;
    else if (token === ':') isKey = false;
    else if (isKey && inner) {
      // The same key can be written in several ways.
      inner.last = JSON.parse(token) as string;
      if (inner.keys.has(inner.last)) return pathOf(inner);
      inner.keys.add(inner.last);
    }
  }
  return undefined;
}

function pathOf({ path, last }: { readonly path: string; readonly last: string }): string {
  return path === '' || last === '' ? path + last : `${path}.${last}`;
}
