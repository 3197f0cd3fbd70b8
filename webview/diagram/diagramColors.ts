import { hex, isDarkColor, mix, rgb, type Rgb } from './worker/colors';
import type { DiagramColors } from './worker/drawing';

/** The theme's colors for series, in the order in which a diagram uses them, and what they are in most themes. */
const seriesTokens = [
  ['blue', [55, 148, 255]],
  ['green', [106, 176, 99]],
  ['orange', [209, 134, 22]],
  ['purple', [177, 128, 215]],
  ['red', [241, 76, 76]],
  ['yellow', [204, 167, 0]],
] as const satisfies readonly (readonly [string, Rgb])[];
const seriesCount = 12;

/** Returns the colors of the current theme. An image can't use tokens, so they are resolved here. */
export function colorsOfTheme(): DiagramColors {
  const style = getComputedStyle(document.body);
  const token = (name: string, otherwise: string) => style.getPropertyValue(`--vscode-${name}`).trim() || otherwise;
  const background = rgb(token('editor-background', '#ffffff')) ?? [255, 255, 255];
  const isDark = isDarkColor(background);
  const plain: Rgb = isDark ? [230, 230, 230] : [30, 30, 30];
  const color = (name: string, otherwise: Rgb): Rgb => rgb(token(name, ''), background) ?? otherwise;
  const text = color('foreground', plain);
  const isHighContrast = document.body.className.includes('high-contrast');
  const border = isHighContrast ? color('contrastBorder', text) : mix(background, text, 0.4);
  // In high contrast, areas are told apart by their borders.
  const tint = (of: Rgb, share: number) => hex(isHighContrast ? background : mix(background, of, share));
  const series = seriesTokens.map(([name, otherwise]) => color(`charts-${name}`, otherwise));
  const [blue = text, green = text, , , red = text, yellow = text] = series;
  const fontFamily = token('font-family', 'sans-serif').replace(/"/g, "'");
  const fill = tint(blue, 0.18);
  const line = hex(isHighContrast ? text : mix(background, text, 0.7));
  const themeVariables: Record<string, unknown> = {
    darkMode: isDark,
    background: hex(background),
    fontFamily,
    fontSize: '14px',
    primaryColor: fill,
    primaryTextColor: hex(text),
    primaryBorderColor: hex(border),
    secondaryColor: tint(green, 0.18),
    secondaryTextColor: hex(text),
    secondaryBorderColor: hex(border),
    tertiaryColor: tint(text, 0.05),
    tertiaryTextColor: hex(text),
    tertiaryBorderColor: hex(border),
    mainBkg: fill,
    nodeBorder: hex(border),
    nodeTextColor: hex(text),
    clusterBkg: tint(text, 0.05),
    clusterBorder: hex(border),
    titleColor: hex(text),
    textColor: hex(text),
    lineColor: line,
    defaultLinkColor: line,
    arrowheadColor: line,
    edgeLabelBackground: hex(background),
    noteBkgColor: tint(yellow, 0.18),
    noteTextColor: hex(text),
    noteBorderColor: hex(border),
    signalColor: line,
    signalTextColor: hex(text),
    labelTextColor: hex(text),
    loopTextColor: hex(text),
    sequenceNumberColor: hex(background),
    classText: hex(text),
    pieTitleTextColor: hex(text),
    pieSectionTextColor: hex(text),
    pieLegendTextColor: hex(text),
    pieStrokeColor: hex(border),
    pieOuterStrokeColor: hex(border),
    pieOpacity: '1',
    taskBkgColor: tint(blue, 0.35),
    taskBorderColor: hex(border),
    taskTextColor: hex(text),
    taskTextLightColor: hex(text),
    taskTextDarkColor: hex(text),
    taskTextOutsideColor: hex(text),
    activeTaskBkgColor: tint(green, 0.35),
    activeTaskBorderColor: hex(border),
    doneTaskBkgColor: tint(text, 0.15),
    doneTaskBorderColor: hex(border),
    critBkgColor: tint(red, 0.35),
    critBorderColor: hex(red),
    sectionBkgColor: tint(text, 0.05),
    altSectionBkgColor: hex(background),
    sectionBkgColor2: tint(text, 0.08),
    gridColor: hex(border),
    todayLineColor: hex(red),
    rowOdd: hex(background),
    rowEven: tint(text, 0.05),
    attributeBackgroundColorOdd: hex(background),
    attributeBackgroundColorEven: tint(text, 0.05),
    commitLabelColor: hex(text),
    commitLabelBackground: hex(background),
    tagLabelColor: hex(text),
    tagLabelBackground: fill,
    tagLabelBorder: hex(border),
    xyChart: {
      backgroundColor: hex(background),
      titleColor: hex(text),
      xAxisLabelColor: hex(text),
      xAxisTitleColor: hex(text),
      xAxisTickColor: hex(border),
      xAxisLineColor: hex(border),
      yAxisLabelColor: hex(text),
      yAxisTitleColor: hex(text),
      yAxisTickColor: hex(border),
      yAxisLineColor: hex(border),
      plotColorPalette: series.map(hex).join(', '),
    },
  };
  for (let index = 0; index < seriesCount; index++) {
    const round = Math.floor(index / series.length);
    // Their areas are told apart by color alone, in high contrast, too.
    const own = hex(mix(background, series[index % series.length] ?? text, 0.45 - round * 0.2));
    themeVariables[`cScale${index}`] = own;
    themeVariables[`cScaleLabel${index}`] = hex(text);
    themeVariables[`cScalePeer${index}`] = hex(border);
    themeVariables[`pie${index + 1}`] = own;
    themeVariables[`git${index}`] = hex(mix(background, series[index % series.length] ?? text, 0.7));
    themeVariables[`gitInv${index}`] = hex(text);
    themeVariables[`gitBranchLabel${index}`] = hex(isDark ? [0, 0, 0] : [255, 255, 255]);
    themeVariables[`fillType${index}`] = own;
  }
  return { isDark, fontFamily, themeVariables };
}
