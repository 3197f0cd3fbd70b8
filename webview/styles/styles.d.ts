/** esbuild bundles imported style sheets into the page's main.css, so the imports have no exports. */
declare module '*.css';
