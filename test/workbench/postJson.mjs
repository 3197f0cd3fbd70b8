// @ts-check
import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/**
 * Posts JSON to a server on this machine. `fetch` can't do it under Wine, because it sets the delay of keep-alive packets.
 * @param {string} url
 * @param {object} body
 * @param {Record<string, string>} [headers]
 * @returns {Promise<{ status: number | undefined, text: string }>}
 */
export function postJson(url, body, headers = {}) {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      // A connection of its own, which ends with the answer.
      agent: false,
    };
    const outgoing = request(url, options, (response) => {
      text(response).then((answer) => resolve({ status: response.statusCode, text: answer }), reject);
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}
