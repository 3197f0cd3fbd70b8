import { configureWords } from './configureWords';

declare function acquireVsCodeApi(): {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
};

/** A page in an editor tab. */
export interface EditorPage<To> {
  receive(message: To): void;
}

/**
 * Starts the page of an editor tab. It receives the messages of these types, and what it remembers is there again after a reload of the window.
 * `first` is what it remembers at first.
 */
export function startEditorPage<To extends { readonly type: string }, Memory extends object>(
  types: { readonly [Type in To['type']]: true },
  first: Memory,
  create: (
    root: HTMLElement,
    post: (message: { readonly type: string }) => void,
    memory: Memory,
    remember: () => void,
  ) => EditorPage<To>,
): void {
  configureWords();
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root element.');
  const api = acquireVsCodeApi();
  const start = document.querySelector<HTMLMetaElement>('meta[name="parley-start"]')?.content ?? '{}';
  const stored = api.getState();
  const memory = { ...first, ...(typeof stored === 'object' ? stored : {}) };
  // The state also says what the page shows, for the window after a reload.
  const remember = () => api.setState({ ...memory, ...(JSON.parse(start) as object) });
  remember();
  const page = create(root, (message) => api.postMessage(message), memory, remember);
  const isMessage = (data: unknown): data is To =>
    typeof data === 'object' && data !== null && 'type' in data && Object.hasOwn(types, String(data.type));
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    // VS Code itself also posts to the window.
    if (isMessage(data)) page.receive(data);
  });
  api.postMessage({ type: 'ready' });
}
