// @ts-check
// Attempts to reach what isn't allowed over the network. Each needs an answer from the other side to succeed.
import dgram from 'node:dgram';
import dns from 'node:dns/promises';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { around, calls, run, system } from './attempt.mjs';

const { address, allowed, closed, closedV6, rebound } = around;
const proxy = new URL(process.env['HTTP_PROXY'] ?? 'http://localhost:1');
const socks = new URL(process.env['FTP_PROXY'] ?? 'http://localhost:1');
const credentials = `Basic ${Buffer.from(`${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`).toString('base64')}`;
const patience = 5000;

/** @type {readonly import('./attempt.mjs').Attempt[]} */
export const network = [
  { name: 'connect to a server of this machine', run: () => direct('127.0.0.1', closed) },
  { name: 'connect to it by IPv6', run: () => direct('::1', closedV6) },
  { name: 'connect to it by the machine’s own address', run: () => direct(address, closed) },
  { name: 'connect to it at any address', run: () => direct('0.0.0.0', closed) },
  { name: 'connect to it as IPv4 in IPv6', run: () => direct('::ffff:127.0.0.1', closed) },
  { name: 'connect to the internet', run: () => direct('192.0.2.1', 443) },
  { name: 'connect to the internet by IPv6', run: () => direct('2001:db8::1', 443) },
  { name: 'connect to a cloud’s data about the machine', run: () => direct('169.254.169.254', 80) },
  { name: 'send a packet to a server of this machine', run: () => packet(address, closed) },
  { name: 'ask the name server', run: () => packet(nameServer(), 53) },
  { name: 'look up a name', run: () => dns.lookup(`${around.marker}.example.com`) },
  { name: 'look up a name with a resolver of its own', run: lookUp },
  { name: 'make a raw socket', run: () => system(calls.socket, 2, 3, 1) },
  { name: 'send a packet below the network', run: rawPacket },
  { name: 'make a socket to the machine’s host', run: () => vsock() },
  { name: 'send to everyone in the network', run: () => packet('224.0.0.1', closed) },
  {
    name: 'enter the network of process 1',
    run: () =>
      run(
        'nsenter',
        '-t',
        '1',
        '-n',
        'perl',
        '-e',
        `use IO::Socket::INET; IO::Socket::INET->new("127.0.0.1:${closed}") or die "$!\n"`,
      ),
  },
  { name: 'connect with curl past the proxy', run: () => tcp(`127.0.0.1 ${closed}`) },
  ...[
    `127.0.0.1:${closed}`,
    `localhost:${closed}`,
    `LOCALHOST.:${closed}`,
    `127.1:${closed}`,
    `0x7f.0.0.1:${closed}`,
    `2130706433:${closed}`,
    `0177.0.0.1:${closed}`,
    `0.0.0.0:${closed}`,
    `[::1]:${closedV6}`,
    `[::ffff:127.0.0.1]:${closed}`,
    `[::ffff:7f00:1]:${closed}`,
    `[::]:${closed}`,
    `${address}:${closed}`,
    `169.254.169.254:80`,
    `127.0.0.1:${allowed}@127.0.0.1:${closed}`,
    `127.0.0.1:${allowed}:${closed}`,
    `127.0.0.1%00.example.com:${closed}`,
    `x.localhost:${closed}`,
  ].map((target) => ({
    name: `connect to ${target.replace(/:\d{4,5}\b/g, ':PORT')} through the proxy`,
    run: () => tunnel(target),
  })),
  { name: 'load a page through the proxy', run: () => page(`http://127.0.0.1:${closed}/`) },
  {
    name: 'load a page as another host',
    run: () => page(`http://127.0.0.1:${closed}/`, { Host: `127.0.0.1:${allowed}` }),
  },
  { name: 'load a page as part of another', run: () => page(`http://127.0.0.1:${allowed}@127.0.0.1:${closed}/`) },
  { name: 'hide a request behind an allowed one', run: secondRequest },
  { name: 'hide a request in the body of another', run: hiddenRequest },
  { name: 'follow a redirect from an allowed server', run: redirect },
  { name: 'reach this machine by an allowed name', run: () => tunnel(`${rebound}:${closed}`) },
  { name: 'load a page of this machine by an allowed name', run: () => page(`http://${rebound}:${closed}/`) },
  { name: 'use the proxy without its password', run: () => tunnel(`127.0.0.1:${allowed}`, 'Basic x') },
  {
    name: 'use the proxy with a guessed name',
    run: () =>
      tunnel(
        `127.0.0.1:${closed}`,
        `Basic ${Buffer.from(`srt.YQ==:${decodeURIComponent(proxy.password)}`).toString('base64')}`,
      ),
  },
  { name: 'connect to an address through SOCKS', run: () => throughSocks(Buffer.from([1, 127, 0, 0, 1])) },
  {
    name: 'connect to a name through SOCKS',
    run: () => throughSocks(Buffer.from([3, 9, ...Buffer.from('localhost')])),
  },
  {
    name: 'connect to IPv6 through SOCKS',
    run: () => throughSocks(Buffer.from([4, ...Array(15).fill(0), 1]), closedV6),
  },
  {
    name: 'connect to a name with a zero through SOCKS',
    run: () => throughSocks(Buffer.from([3, 14, ...Buffer.from('127.0.0.1\0evil')])),
  },
];

/** Resolves to what a server sends. @param {string} host @param {number} port */
function direct(host, port) {
  return answerOf(net.connect({ host, port }), '');
}

/** Resolves to the answer to a text; rejects if there is none. @param {net.Socket} socket @param {string | Buffer} text @returns {Promise<string>} */
function answerOf(socket, text) {
  return new Promise((resolve, reject) => {
    let got = '';
    socket.setTimeout(patience, () => socket.destroy(new Error('No answer')));
    socket.on('connect', () => socket.write(text === '' ? 'GET / HTTP/1.0\r\n\r\n' : text));
    socket.on('data', (data) => (got += data.toString('latin1')));
    socket.on('error', reject);
    socket.on('close', () => (got.includes(around.marker) ? resolve(got) : reject(new Error(plain(got)))));
  });
}

/** @param {string} text */
function plain(text) {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200) || 'The connection was closed';
}

/** @param {string} host @param {number} port */
function packet(host, port) {
  return new Promise((resolve, reject) => {
    const socket = dgram.createSocket('udp4');
    socket.on('error', reject);
    socket.on('message', resolve);
    const query = Buffer.from('abcd01000001000000000000076578616d706c6503636f6d0000010001', 'hex');
    socket.send(query, port, host, (error) => error && reject(error));
    setTimeout(() => reject(new Error('No answer')), patience / 10);
  });
}

function nameServer() {
  return /^nameserver\s+(\S+)/m.exec(fs.readFileSync('/etc/resolv.conf', 'utf8'))?.[1] ?? '192.0.2.53';
}

function lookUp() {
  const resolver = new dns.Resolver({ timeout: 300, tries: 1 });
  return resolver.resolve4(`${around.marker}.example.com`);
}

function rawPacket() {
  system(calls.socket, 17, 3, 0x300);
  const others = fs.readdirSync('/sys/class/net').filter((name) => name !== 'lo');
  const own = /^\s*(\w+):/gm;
  const seen = [...fs.readFileSync('/proc/net/dev', 'utf8').matchAll(own)].map(([, name]) => name);
  if (!seen.some((name) => name !== 'lo')) throw new Error(`Nothing leads out; outside are ${others.join(', ')}`);
}

function vsock() {
  const script =
    'socket(my $s, 40, 1, 0) or die "$!\\n"; connect($s, pack("SSLLL", 40, 0, 1024, 2, 0)) or die "$!\\n";';
  return run('perl', '-e', script);
}

/** @param {string} target */
function tcp(target) {
  const [host, port] = target.split(' ');
  return run('bash', '-c', `exec 3<>/dev/tcp/${host}/${port} && echo connected`);
}

/** Connects through the proxy, and gets something from the other side. @param {string} target */
function tunnel(target, authorization = credentials) {
  const head = `CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: ${authorization}\r\n\r\n`;
  const socket = net.connect(Number(proxy.port), '127.0.0.1');
  const got = answerOf(socket, head);
  socket.once('data', (data) => {
    if (/^HTTP\/1\.\d 200/.test(data.toString('latin1'))) socket.write('GET / HTTP/1.0\r\n\r\n');
    else socket.end();
  });
  return got;
}

/** @param {string} url @param {Readonly<Record<string, string>>} headers */
function page(url, headers = {}) {
  return new Promise((resolve, reject) => {
    const all = { 'Proxy-Authorization': credentials, ...headers };
    const request = http.request({ host: '127.0.0.1', port: proxy.port, path: url, headers: all, timeout: patience });
    request.on('timeout', () => request.destroy(new Error('No answer')));
    request.on('error', reject);
    request.on('response', async (response) => {
      let got = '';
      for await (const data of response) got += data;
      if (got.includes(around.marker)) resolve(got);
      else reject(new Error(`${response.statusCode} ${plain(got)}`));
    });
    request.end();
  });
}

/** @param {string} url */
const headOf = (url) => `GET ${url} HTTP/1.1\r\nHost: 127.0.0.1:${allowed}\r\nProxy-Authorization: ${credentials}\r\n`;

function secondRequest() {
  const first = `${headOf(`http://127.0.0.1:${allowed}/`)}\r\n`;
  const second = `${headOf(`http://127.0.0.1:${closed}/`)}Connection: close\r\n\r\n`;
  return answerOf(net.connect(Number(proxy.port), '127.0.0.1'), first + second);
}

function hiddenRequest() {
  const inner = `GET http://127.0.0.1:${closed}/ HTTP/1.1\r\nHost: 127.0.0.1:${closed}\r\nConnection: close\r\n\r\n`;
  const lengths = `Content-Length: ${inner.length}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`;
  return answerOf(
    net.connect(Number(proxy.port), '127.0.0.1'),
    headOf(`http://127.0.0.1:${allowed}/`).replace('GET', 'POST') + lengths + inner,
  );
}

async function redirect() {
  const response = await fetch(`http://127.0.0.1:${allowed}/redirect?${closed}`, { redirect: 'manual' });
  const to = response.headers.get('location');
  if (to === null) throw new Error(`No redirect: ${response.status}`);
  return page(to);
}

/** Connects through SOCKS, version 5. @param {Buffer} target */
async function throughSocks(target, port = closed) {
  const socket = net.connect(Number(socks.port), '127.0.0.1');
  socket.setTimeout(patience, () => socket.destroy(new Error('No answer')));
  const next = () =>
    new Promise((resolve, reject) => {
      socket.once('data', resolve);
      socket.once('error', reject);
      socket.once('close', () => reject(new Error('The connection was closed')));
    });
  const [user, password] = [
    Buffer.from(decodeURIComponent(socks.username)),
    Buffer.from(decodeURIComponent(socks.password)),
  ];
  try {
    socket.write(Buffer.from([5, 1, 2]));
    await next();
    socket.write(Buffer.from([1, user.length, ...user, password.length, ...password]));
    await next();
    socket.write(Buffer.from([5, 1, 0, ...target, port >> 8, port & 255]));
    const answer = await next();
    if (answer[1] !== 0) throw new Error(`SOCKS refuses with ${answer[1]}`);
    socket.write('GET / HTTP/1.0\r\n\r\n');
    const got = String(await next());
    if (!got.includes(around.marker)) throw new Error(plain(got));
    return got;
  } finally {
    socket.destroy();
  }
}
