/** One comparison of a condition: a key that is set (`truthy`) or not (`falsy`), or compared with a value. */
export interface Comparison {
  readonly key: string;
  readonly op: 'truthy' | 'falsy' | '==' | '!=' | '=~' | 'in' | 'not in' | '<' | '<=' | '>' | '>=';
  readonly value: string;
}

/** Comparisons that hold together. */
export type Conjunction = readonly Comparison[];

const token =
  /\s*(&&|\|\||\(|\)|==|!=|=~|<=|>=|<|>|!|not in\b|in\b|'[^']*'|\/(?:[^/\\]|\\.)+\/[a-z]*|[^\s()&|!=<>']+)/y;

/**
 * Reads a `when` condition of VS Code into its alternatives, in each of which all comparisons hold. An empty condition
 * has one alternative without comparisons.
 */
export function alternativesOf(when: string): readonly Conjunction[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < when.trimEnd().length) {
    const found = token.exec(when);
    if (!found?.[1]) throw new Error(`Can’t read the condition ${when}`);
    tokens.push(found[1]);
  }
  if (tokens.length === 0) return [[]];
  const read = anyOf(tokens);
  if (tokens.length > 0) throw new Error(`Can’t read the end of the condition ${when}`);
  return read;
}

function anyOf(tokens: string[]): Conjunction[] {
  const all = allOf(tokens);
  while (tokens[0] === '||') {
    tokens.shift();
    all.push(...allOf(tokens));
  }
  return all;
}

function allOf(tokens: string[]): Conjunction[] {
  let all = one(tokens);
  while (tokens[0] === '&&') {
    tokens.shift();
    const more = one(tokens);
    all = all.flatMap((left) => more.map((right) => [...left, ...right]));
  }
  return all;
}

function one(tokens: string[]): Conjunction[] {
  const first = tokens.shift() ?? '';
  if (first === '(') {
    const inside = anyOf(tokens);
    tokens.shift();
    return inside;
  }
  if (first === '!' && tokens[0] === '(') return negated(one(tokens));
  if (first === '!') return [[{ key: tokens.shift() ?? '', op: 'falsy', value: '' }]];
  if (/^(==|!=|=~|<=|>=|<|>|in|not in)$/.test(tokens[0] ?? '')) {
    const op = tokens.shift() as Comparison['op'];
    const value = (tokens.shift() ?? '').replace(/^'(.*)'$/, '$1');
    return [[{ key: first, op, value }]];
  }
  return [[{ key: first, op: 'truthy', value: '' }]];
}

/** Returns the alternatives in which none of these hold. */
function negated(all: readonly Conjunction[]): Conjunction[] {
  const none = all.map((alternative) => alternative.map((comparison) => opposite(comparison)));
  return none.reduce<Conjunction[]>(
    (found, others) => found.flatMap((left) => others.map((other) => [...left, other])),
    [[]],
  );
}

const opposites: Readonly<Partial<Record<Comparison['op'], Comparison['op']>>> = {
  truthy: 'falsy',
  falsy: 'truthy',
  '==': '!=',
  '!=': '==',
  in: 'not in',
  'not in': 'in',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

function opposite(comparison: Comparison): Comparison {
  const op = opposites[comparison.op];
  if (op === undefined) throw new Error(`Can’t negate ${comparison.key} ${comparison.op}`);
  return { ...comparison, op };
}

/** Returns whether two comparisons can hold at the same time. Says yes wherever it isn’t sure. */
export function canBothHold(one: Comparison, other: Comparison): boolean {
  if (one.key !== other.key) return true;
  return !contradicts(one, other) && !contradicts(other, one);
}

function contradicts(one: Comparison, other: Comparison): boolean {
  if (one.op === 'truthy') return other.op === 'falsy';
  if (one.op === 'in') return other.op === 'not in' && one.value === other.value;
  if (one.op !== '==') return false;
  if (other.op === '==') return one.value !== other.value;
  if (other.op === '!=') return one.value === other.value;
  return other.op === 'falsy' && one.value !== '';
}

/** What context keys are set to. All others aren't set. */
export type Context = Readonly<Record<string, boolean | string | number | readonly string[]>>;

/** Returns whether a condition holds, as VS Code evaluates it. */
export function holds(when: string, context: Context): boolean {
  return alternativesOf(when).some((all) => all.every((one) => isTrue(one, context)));
}

function isTrue({ key, op, value }: Comparison, context: Context): boolean {
  const set = context[key];
  const list = context[value];
  const isIn = typeof set === 'string' && Array.isArray(list) && list.includes(set);
  switch (op) {
    case 'truthy':
      return Boolean(set);
    case 'falsy':
      return !set;
    case '==':
      return String(set ?? '') === value;
    case '!=':
      return String(set ?? '') !== value;
    case 'in':
      return isIn;
    case 'not in':
      return !isIn;
    case '=~': {
      const [, pattern = '', flags = ''] = /^\/(.*)\/([a-z]*)$/.exec(value) ?? [];
      return new RegExp(pattern, flags).test(String(set ?? ''));
    }
    case '<':
      return Number(set) < Number(value);
    case '<=':
      return Number(set) <= Number(value);
    case '>':
      return Number(set) > Number(value);
    case '>=':
      return Number(set) >= Number(value);
  }
}
