// Charts of a relay's page: zero-based, gaps stay gaps, marks of audited actions, and the same values as a table.

import uPlot from './vendor/uplot/uplot.esm.js';
import { html, useEffect, useRef } from './vendor/preact/standalone.module.js';
import { clock, millis, visible } from './text.js';

const HEIGHT = 140;
/** While nobody looks, the server samples every 10 s. */
const SELDOM_SECONDS = 12;

/** `lines` are {name, key, dash}; `format` writes a value. */
export function Chart({ title, series, lines, format }) {
  const holder = useRef();
  const plot = useRef();
  const data = dataOf(series, lines);
  useEffect(() => {
    const element = holder.current;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(element, lines, format, () => element.marks), element.data, element);
    };
    element.data = data;
    element.marks = series.marks ?? [];
    draw();
    const size = new ResizeObserver(() => plot.current.width !== element.clientWidth && plot.current.setSize({ width: element.clientWidth, height: HEIGHT }));
    size.observe(element);
    const scheme = new MutationObserver(draw);
    scheme.observe(document.documentElement, { attributeFilter: ['data-scheme'] });
    const preference = matchMedia('(prefers-color-scheme: dark)');
    preference.addEventListener('change', draw);
    return () => {
      size.disconnect();
      scheme.disconnect();
      preference.removeEventListener('change', draw);
      plot.current.destroy();
      plot.current = undefined;
    };
  }, [lines.length]);
  useEffect(() => {
    holder.current.data = data;
    holder.current.marks = series.marks ?? [];
    plot.current?.setData(data);
  }, [series]);
  const last = (line) => format(data[1 + lines.indexOf(line)].findLast((value) => value !== null));
  return html`<figure class="chart"><figcaption>${title}
      ${lines.map((line, index) => html` <span class="legend"><i class="line line${index}"></i>${lines.length > 1 ? line.name + ' ' : ''}${last(line)}</span>`)}</figcaption>
    <div ref=${holder} aria-hidden="true"></div>
    <${Values} title=${title} data=${data} lines=${lines} format=${format} marks=${series.marks ?? []} /></figure>`;
}

/** A point for every step between the first and the last, null where there is no sample. */
function dataOf(series, lines) {
  const step = Math.max(1, Number(series.stepSeconds) || 1);
  const points = (series.points ?? []).map((point) => ({ ...point, t: (millis(point.at) ?? 0) / 1000 }));
  const columns = [[], ...lines.map(() => [])];
  let before;
  for (const point of points) {
    if (before !== undefined && point.t - before > Math.max(SELDOM_SECONDS, step * 2.5)) {
      columns[0].push(before + step);
      lines.forEach((_, index) => columns[index + 1].push(null));
    }
    columns[0].push(point.t);
    lines.forEach((line, index) => columns[index + 1].push(numberOf(point[line.key])));
    before = point.t;
  }
  return columns;
}

function numberOf(value) {
  const number = Number(value);
  return value === undefined || !Number.isFinite(number) ? null : number;
}

function optionsOf(element, lines, format, marks) {
  const colours = getComputedStyle(element);
  const grid = { stroke: colours.borderTopColor, width: 1 };
  const axis = { stroke: colours.caretColor, grid, ticks: grid, font: '11px system-ui, sans-serif' };
  return {
    width: element.clientWidth, height: HEIGHT, legend: { show: false }, cursor: { drag: { x: false, y: false } },
    scales: { y: { range: (_, __, top) => [0, top > 0 ? top * 1.08 : 1] } },
    axes: [{ ...axis, size: 28, values: (_, splits, __, ___, apart) => splits.map((at) => clock(at * 1000, apart < 60)) }, { ...axis, size: 62, values: (_, splits) => splits.map((value) => format(value)) }],
    series: [{}, ...lines.map((line, index) => ({ label: line.name, stroke: colours.color, width: index === 0 ? 1.5 : 1, dash: line.dash, points: { show: false }, spanGaps: false }))],
    hooks: { draw: [(chart) => drawMarks(chart, marks(), colours.color)] },
  };
}

function drawMarks(chart, marks, colour) {
  const { ctx, bbox } = chart;
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.setLineDash([2, 3]);
  for (const mark of marks) {
    const x = Math.round(chart.valToPos((millis(mark.at) ?? 0) / 1000, 'x', true));
    if (x >= bbox.left && x <= bbox.left + bbox.width) {
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
    }
  }
  ctx.restore();
}

/** At most 30 values of the chart, for those who cannot see it. */
function Values({ title, data, lines, format, marks }) {
  const every = Math.max(1, Math.ceil(data[0].length / 30));
  const rows = data[0].map((t, index) => index).filter((index) => index % every === 0);
  const time = (t) => new Date(t * 1000).toLocaleTimeString();
  return html`<details class="values"><summary>Values of ${title}</summary><div class="scroll"><table>
    <thead><tr><th scope="col">time</th>${lines.map((line) => html`<th scope="col" class="number">${line.name}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr><td>${time(data[0][row])}</td>${lines.map((_, index) => html`<td class="number">${format(data[index + 1][row] ?? undefined)}</td>`)}</tr>`)}
    ${marks.map((mark) => html`<tr><td>${time((millis(mark.at) ?? 0) / 1000)}</td><td colspan=${lines.length}>${visible(mark.who)}: ${visible(mark.action)}</td></tr>`)}</tbody></table></div></details>`;
}
