const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));

/** Diagrams that Mermaid takes long for, or for ever, and random ones from a seed. By name. */
export function hostileDiagrams(): Readonly<Record<string, string>> {
  const diagrams: Record<string, string> = {
    spaces: 'block-beta\nspace:9999999\na',
    'wide mind map': ['mindmap', '  root', ...lines(380, (index) => `    a${index}`)].join('\n'),
    classes: ['classDiagram', ...lines(300, (index) => `  A${index} <|-- B${index % 50}`)].join('\n'),
    states: ['stateDiagram-v2', ...lines(300, (index) => `  s${index} --> s${(index * 7) % 100}`)].join('\n'),
    entities: ['erDiagram', ...lines(250, (index) => `  E${index} ||--o{ E${(index * 7) % 90} : has`)].join('\n'),
    people: ['C4Context', ...lines(300, (index) => `  Person(a${index}, "Customer ${index}", "One")`)].join('\n'),
    edges: ['flowchart TD', ...lines(300, (index) => `  a${index} --> a${(index * 7) % 200}`)].join('\n'),
    ticks: 'gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 1millisecond\n  A :a, 1900-01-01, 2024-01-01',
    bits: 'packet-beta\n0-99999999: "x"',
  };
  const random = randomFrom(34);
  for (let index = 0; index < 6; index++) diagrams[`random ${index}`] = randomDiagram(random);
  return diagrams;
}

function randomDiagram(random: (below: number) => number): string {
  const kinds = ['flowchart LR', 'mindmap', 'block-beta', 'sequenceDiagram', 'stateDiagram-v2', 'gantt'];
  const words = [
    'a --> b',
    'space:99999',
    'columns 99999',
    'a->>b: x',
    'x: 5: y',
    'A :a, 2000-01-01, 99999d',
    '  a',
    '    b',
  ];
  const pick = (list: readonly string[]) => list[random(list.length)] ?? '';
  return [pick(kinds), ...lines(1 + random(150), () => `  ${pick(words)}${random(2) === 0 ? random(1000) : ''}`)].join(
    '\n',
  );
}

function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
