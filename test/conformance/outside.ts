import { request } from 'node:http';

/** Asks the runner outside of the extension host to do something in the window. */
export function askOutside(action: string, params: object): Promise<unknown> {
  const port = process.env['PARLEY_CONFORMANCE_PAGE'];
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, method: 'POST' }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const { value, error } = JSON.parse(text) as { readonly value?: unknown; readonly error?: string };
        if (error === undefined) resolve(value);
        else reject(new Error(error));
      });
    });
    asking.on('error', reject);
    asking.end(JSON.stringify({ action, ...params }));
  });
}
