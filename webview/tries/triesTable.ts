import * as l10n from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit-html';
import type { PageCell, PageCheck, PageRow, PageTry, TriesReport } from '../../src/shared/changes/triesPage';
import { showHiddenOnOneLine } from '../../src/shared/text/visibleText';
import { money, shortCount } from '../base/amounts';
import { duration } from '../base/format';
import { icon } from '../base/icon';
import { monogram } from '../base/monogram';
import { counts } from '../review/fileView';
import { nameAndFolder } from '../review/nameAndFolder';

/** What the table's buttons do. */
export interface TableActions {
  compare(row: PageRow, at: number): void;
  takeAll(one: PageTry): void;
  takeFile(one: PageTry, row: PageRow): void;
  undoFile(one: PageTry, row: PageRow): void;
  openSession(one: PageTry): void;
}

export interface TableProps {
  readonly report: TriesReport;
  readonly locale: string;
  /** The path of the file that is open. */
  readonly open: string | undefined;
  /** The cell that Tab goes to. */
  readonly cursor: string;
  /** Nothing can be taken, because something is being taken. */
  readonly isBusy: boolean;
}

/** Returns the key of a cell. */
export function cellKey(path: string, at: number): string {
  return `${at} ${path}`;
}

/** Renders the table of files and tries: how each did, and what it did to each file. */
export function triesTable(props: TableProps, actions: TableActions): TemplateResult {
  const { report } = props;
  const { tries, rows } = report;
  const files = rows.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', rows.length);
  return html`<div class="pl-cmp-wrap">
    <table class="pl-cmp t${tries.length}" aria-label=${l10n.t('Files and tries')}>
      <colgroup>
        <col class="c0" />
        ${tries.map(() => html`<col />`)}
      </colgroup>
      <thead>
        <tr>
          <td class="corner">
            <div class="tn"><b>${files}</b><span class="s clip">${showHiddenOnOneLine(report.from)}</span></div>
          </td>
          ${tries.map((one) => headCell(one, props.isBusy, actions))}
        </tr>
      </thead>
      <tbody>
        ${
          report.command === undefined
            ? nothing
            : html`<tr class="fact">
                <th scope="row"><span class="clip mono">${showHiddenOnOneLine(report.command)}</span></th>
                ${tries.map((one) => html`<td>${checkCell(one, actions)}</td>`)}
              </tr>`
        }
        ${fact(l10n.t('Time'), tries, timeWords)}
        ${fact(l10n.t('Tokens'), tries, ({ tokens }) =>
          tokens === undefined ? unreported() : html`<span class="num">${shortCount(tokens, props.locale)}</span>`,
        )}
        ${fact(l10n.t('Cost'), tries, ({ costs }) => costWords(costs, props.locale))}
        ${fact(l10n.t('Changes'), tries, changeWords)}
      </tbody>
      <tbody>
        ${rows.map((row) => fileRow(row, props, actions))}
      </tbody>
    </table>
  </div>`;
}

function headCell(one: PageTry, isBusy: boolean, actions: TableActions): TemplateResult {
  const name = showHiddenOnOneLine(one.name);
  return html`<th scope="col" class="try">
    <div class="tc">
      ${monogram(one.agentName, 'large')}
      <div class="tn">
        <button type="button" class="who clip" title=${l10n.t('Open session')} @click=${() => actions.openSession(one)}>
          <b>${name}</b></button
        ><span class="s clip">${showHiddenOnOneLine(one.detail)}</span>
      </div>
      <button
        type="button"
        class="btn sm"
        aria-label=${l10n.t('Take everything from {0}', name)}
        ?disabled=${isBusy || one.files === 0}
        @click=${() => actions.takeAll(one)}
      >
        ${l10n.t('Take')}
      </button>
    </div>
  </th>`;
}

function checkCell(one: PageTry, actions: TableActions): TemplateResult {
  const { check, name } = one;
  if (check === undefined) return html`<span class="dim">${l10n.t('not run')}</span>`;
  if (check.state === 'running') {
    return html`<span class="res">${icon('loading', 'codicon-modifier-spin')}<span>${l10n.t('Running')}</span></span>`;
  }
  const isOk = check.exitCode === 0;
  const output = html`<button
    type="button"
    class="btn link sm"
    aria-label=${l10n.t('Output of {0}', showHiddenOnOneLine(name))}
    title=${l10n.t('Output')}
    @click=${() => actions.openSession(one)}
  >
    <span class="w-l">${l10n.t('Output')}</span>${icon('terminal', 's12')}
  </button>`;
  return html`<span class="res"
    >${icon(isOk ? 'pass' : 'error', isOk ? 'okc' : 'err')}<span class="clip" title=${outcome(check)}
      >${outcome(check)}</span
    ><span class="dim num w-l">${duration(check.ms)}</span>${isOk ? nothing : output}</span
  >`;
}

function outcome({ exitCode }: Extract<PageCheck, { state: 'ended' }>): string {
  if (exitCode === 0) return l10n.t('Passed');
  return exitCode === undefined ? l10n.t('Failed') : l10n.t('Failed, exit {0}', exitCode);
}

function fact(
  label: string,
  tries: readonly PageTry[],
  cell: (one: PageTry) => TemplateResult | string,
): TemplateResult {
  return html`<tr class="fact">
    <th scope="row"><span class="clip">${label}</span></th>
    ${tries.map((one) => html`<td>${cell(one)}</td>`)}
  </tr>`;
}

function timeWords({ ms, state }: PageTry): TemplateResult {
  const time = ms > 0 ? html`<span class="num">${duration(ms)}</span>` : nothing;
  if (state === 'ended') return ms > 0 ? html`${time}` : html`<span class="dim">${l10n.t('no turn yet')}</span>`;
  const words = state === 'waiting' ? l10n.t('waiting for you') : l10n.t('working');
  const mark = icon(
    state === 'waiting' ? 'bell' : 'loading',
    state === 'waiting' ? 's12' : 's12 codicon-modifier-spin',
  );
  return html`<span class="res">${mark}<span>${words}</span>${time}</span>`;
}

function costWords(costs: PageTry['costs'], locale: string): TemplateResult {
  if (costs.length === 0) return unreported();
  return html`<span class="num"
    >${costs.map(({ amount, currency }) => money(amount, currency, locale)).join(' + ')}</span
  >`;
}

function unreported(): TemplateResult {
  return html`<span class="dim">${l10n.t('not reported')}</span>`;
}

function changeWords({ files, added, removed, problem }: PageTry): TemplateResult {
  if (problem !== undefined) {
    return html`<span class="res" title=${showHiddenOnOneLine(problem)}
      >${icon('error', 'err')}<span class="clip">${showHiddenOnOneLine(problem)}</span></span
    >`;
  }
  if (files === 0) return html`<span class="dim">${l10n.t('none')}</span>`;
  const words = files === 1 ? l10n.t('1 file') : l10n.t('{0} files', files);
  return html`<span class="num">${words} ${counts({ added, removed })}</span>`;
}

function fileRow(row: PageRow, props: TableProps, actions: TableActions): TemplateResult {
  const [name, folder] = nameAndFolder(row.path);
  const isOpen = props.open === row.path;
  const kinds = row.cells.flatMap((cell) => (cell ? [cell.kind] : []));
  const mark = kinds.every((kind) => kind === 'added')
    ? 'new-file'
    : kinds.every((kind) => kind === 'deleted')
      ? 'trash'
      : 'file';
  return html`<tr class="file ${isOpen ? 'is-open' : ''}" aria-current=${isOpen ? 'true' : nothing}>
    <th scope="row">
      <div class="fn" title=${showHiddenOnOneLine(row.path)}>
        ${icon(mark)}<span class="nm clip">${showHiddenOnOneLine(name)}</span
        ><span class="dir clip">${showHiddenOnOneLine(folder)}</span>
      </div>
    </th>
    ${row.cells.map((cell, at) => fileCell(cell, at, row, name, props, actions))}
  </tr>`;
}

function fileCell(
  cell: PageCell | undefined,
  at: number,
  row: PageRow,
  fileName: string,
  props: TableProps,
  actions: TableActions,
): TemplateResult {
  const { report, cursor, isBusy } = props;
  const one = report.tries[at];
  if (!cell || !one) return html`<td class="c none"><span class="dim xs">${l10n.t('not changed')}</span></td>`;
  const file = showHiddenOnOneLine(fileName);
  const name = showHiddenOnOneLine(one.name);
  const key = cellKey(row.path, at);
  const isCursor = cursor === key;
  const tab = isCursor ? 0 : -1;
  const like = cell.sameAs === undefined ? undefined : report.tries[cell.sameAs]?.name;
  const note =
    like !== undefined
      ? l10n.t('same as {0}', showHiddenOnOneLine(like))
      : cell.kind === 'deleted'
        ? l10n.t('deleted')
        : cell.from !== undefined
          ? l10n.t('moved')
          : '';
  const number =
    cell.added === undefined
      ? html`<span class="dim xs">${l10n.t('binary file')}</span>`
      : counts({ added: cell.added, removed: cell.removed ?? 0 });
  const taken = takenWords(cell.taken);
  // In narrow cells, the counts need the space.
  const short = typeof cell.taken === 'object' ? l10n.t('{0} of {1}', cell.taken.count, cell.taken.of) : undefined;
  return html`<td class="c ${cell.taken === undefined ? '' : 'is-taken'}">
    <div class="ci">
      <button
        type="button"
        class="open"
        tabindex=${tab}
        data-cell=${key}
        aria-label=${l10n.t('Compare {0} from {1}', file, name)}
        @click=${() => actions.compare(row, at)}
      ></button>
      <span class="num cnt">${number}</span>${note === '' ? nothing : html`<span class="dim xs clip">${note}</span>`}
      <span class="grow"></span>
      ${
        cell.taken === undefined
          ? nothing
          : html`<button
              type="button"
              class="taken"
              tabindex=${tab}
              title=${l10n.t('Undo {0} from {1}', file, name)}
              aria-label=${`${taken}. ${l10n.t('Undo {0} from {1}', file, name)}`}
              ?disabled=${isBusy}
              @click=${() => actions.undoFile(one, row)}
            >
              ${icon('check', 's12')}${
                short === undefined ? taken : html`<span class="w-l">${taken}</span><span class="w-n">${short}</span>`
              }
            </button>`
      }
      ${
        cell.taken !== undefined
          ? nothing
          : html`<button
              type="button"
              class="btn sm take"
              tabindex=${tab}
              aria-label=${l10n.t('Take {0} from {1}', file, name)}
              ?disabled=${isBusy}
              @click=${() => actions.takeFile(one, row)}
            >
              ${l10n.t('Take')}
            </button>`
      }
    </div>
  </td>`;
}

/** Says how much of a file was taken. */
function takenWords(taken: PageCell['taken']): string {
  if (taken === undefined || taken === 'all') return l10n.t('taken');
  return l10n.t('{0} of {1} taken', taken.count, taken.of);
}
