/** The parameters of an address with the page that the browser is to call after a login. */
const callbacks = ['redirect_uri', 'redirect_url', 'redirect_to', 'callback_url', 'callback'];

/**
 * Returns the port of this machine that a login page calls in the end; undefined if its address names none. Ports of
 * system services don't count.
 */
export function callbackPort(address: string): number | undefined {
  const { searchParams } = new URL(address);
  for (const name of callbacks) {
    const written = searchParams.get(name);
    const url = written === null ? null : URL.parse(written);
    const isHere = url?.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
    const port = Number(url?.port);
    if (isHere && port >= 1024) return port;
  }
  return undefined;
}
