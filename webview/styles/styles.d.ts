/** esbuild turns imported style sheets into the page's main.css; there is nothing to import from them. */
declare module '*.css';
