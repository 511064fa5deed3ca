// A line of the last 15 minutes, without axes.

import { html } from './vendor/preact/standalone.module.js';
import { count } from './text.js';

const WIDTH = 96;
const HEIGHT = 20;
const SPAN_MS = 15 * 60_000;
const GAP_MS = 30_000;
// A backlog of a few events is a flat line at the bottom, not at the top.
const LOWEST_TOP = 50;

/** `points` are {at, backlog}, oldest first. A time without samples stays a gap. */
export function Spark({ points }) {
  const end = points.at(-1)?.at;
  if (end === undefined) {
    return html`<span class="muted">–</span>`;
  }
  const top = Math.max(LOWEST_TOP, ...points.map((point) => point.backlog));
  const columns = columnsOf(points, end);
  let path = '';
  let before;
  for (const { x, at, value } of columns) {
    path += (before === undefined || at - before > GAP_MS ? 'M' : 'L') + x.toFixed(1) + ' ' + (HEIGHT - 1 - (value / top) * (HEIGHT - 2)).toFixed(1);
    before = at;
  }
  const words = `backlog of the last 15 minutes: now ${count(Math.round(points.at(-1).backlog))}, at most ${count(Math.round(Math.max(...points.map((point) => point.backlog))))}`;
  return html`<svg class="spark" viewBox="0 0 ${WIDTH} ${HEIGHT}" width=${WIDTH} height=${HEIGHT} role="img" aria-label=${words}><path d=${path} /></svg>`;
}

// The largest value of each pixel column.
function columnsOf(points, end) {
  const columns = new Map();
  for (const point of points) {
    const x = Math.floor(WIDTH * (1 - (end - point.at) / SPAN_MS));
    if (x >= 0 && Number.isFinite(point.backlog)) {
      const column = columns.get(x);
      if (!column || column.value < point.backlog) {
        columns.set(x, { x, at: point.at, value: point.backlog });
      }
    }
  }
  return [...columns.values()];
}
