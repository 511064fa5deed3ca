// Lists with a selection. j and k move the focus, x selects, Enter opens. A list never changes its order under the hand.

import { html, useRef, useState } from './vendor/preact/standalone.module.js';

/** The keys of the list that has, or last had, the focus; otherwise of the first list of the page. */
export function listKey(key) {
  const rows = [...document.querySelectorAll('[data-row]')];
  if (rows.length === 0) {
    return false;
  }
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  if (key === 'j' || key === 'k') {
    const next = at < 0 ? (key === 'j' ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)));
    rows[next].focus();
    rows[next].scrollIntoView({ block: 'nearest' });
    return true;
  }
  if (at < 0) {
    return false;
  }
  if (key === 'x') {
    rows[at].querySelector('input[type=checkbox]')?.click();
    return true;
  }
  if (key === 'Enter' && document.activeElement === rows[at]) {
    rows[at].querySelector('a[href]')?.click();
    return true;
  }
  return false;
}

/** A set of selected ids. */
export function useSelection() {
  const [ids, setIds] = useState(() => new Set());
  const toggle = (id) => setIds((before) => {
    const after = new Set(before);
    if (!after.delete(id)) {
      after.add(id);
    }
    return after;
  });
  const set = (list, on) => setIds((before) => new Set(on ? [...before, ...list] : [...before].filter((id) => !list.includes(id))));
  return { ids, toggle, set, clear: () => setIds(new Set()) };
}

export function SelectOne({ selection, id, label }) {
  return html`<input type="checkbox" checked=${selection.ids.has(id)} onChange=${() => selection.toggle(id)} aria-label=${'Select ' + label} />`;
}

export function SelectAll({ selection, ids }) {
  const all = ids.length > 0 && ids.every((id) => selection.ids.has(id));
  return html`<input type="checkbox" checked=${all} onChange=${() => selection.set(ids, !all)} aria-label="Select all shown" />`;
}

/**
 * The order of a list: new items come last and nothing moves while the list is held, that is while the pointer is over it or it
 * has the focus. `differs` tells that sorting again would change something.
 */
export function useOrder(items, keyOf, compare) {
  const shown = useRef([]);
  const held = useRef(false);
  const byKey = new Map(items.map((item) => [keyOf(item), item]));
  const sorted = [...items].sort(compare).map(keyOf);
  const kept = shown.current.filter((key) => byKey.has(key));
  const known = new Set(kept);
  const order = held.current && kept.length > 0 ? [...kept, ...sorted.filter((key) => !known.has(key))] : sorted;
  shown.current = order;
  const hold = (on) => () => {
    held.current = on;
  };
  return {
    items: order.map((key) => byKey.get(key)),
    differs: order.join('\n') !== sorted.join('\n'),
    sortAgain: () => { shown.current = sorted; },
    holding: { onMouseEnter: hold(true), onMouseLeave: hold(false), onFocusIn: hold(true), onFocusOut: hold(false) },
  };
}

/** A table that becomes blocks on a narrow screen: every cell knows the name of its column. */
export function Table({ label, columns, children, ...rest }) {
  return html`<div class="scroll"><table aria-label=${label} ...${rest}>
    <thead><tr>${columns.map((column) => html`<th scope="col" class=${column.number ? 'number' : ''}>${column.name ?? column}</th>`)}</tr></thead>
    <tbody>${children}</tbody></table></div>`;
}
