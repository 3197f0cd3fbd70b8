/** The bundle of a worker, as text. A webview can start a worker only from what it has in memory. */
declare module '*?worker' {
  const code: string;
  export default code;
}
