/** Matches the names of variables for servers of models. */
export const serverVariable = /(?:_BASE_URL|_API_BASE|_ENDPOINT|_API_URL|_BASEURL)$/;

/** Returns the servers that the user's environment names as those of models. */
export function configuredServers(env: Readonly<Record<string, string>>) {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!serverVariable.test(name) || !URL.canParse(value)) return [];
    const { protocol, hostname, port } = new URL(value);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    const isLocal = hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname);
    return [{ host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80), isLocal }];
  });
}
