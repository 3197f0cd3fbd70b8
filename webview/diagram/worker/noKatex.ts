/**
 * Stands in for KaTeX, which Mermaid loads for formulas in labels. They need HTML labels, which diagrams don't have here, so a formula stays
 * its source.
 */
const noKatex = {
  renderToString: (tex: string) => tex.replace(/&/g, '&amp;').replace(/</g, '&lt;'),
};
export default noKatex;
