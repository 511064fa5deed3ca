// Who did what, to how many, and why.

import { html, useEffect, useState } from '../vendor/preact/standalone.module.js';
import { get } from '../api.js';
import { Field } from '../action.js';
import { useLive } from '../hooks.js';
import { Table } from '../list.js';
import { Ago, Failed, Mark, Text, Unavailable } from '../parts.js';
import { address, go } from '../router.js';
import { visible } from '../text.js';
import { Choice } from './events.js';
import { Bound } from './failures.js';

const NAMES = ['store', 'relay', 'who', 'action', 'from', 'until'];
const COLUMNS = ['at', 'store', 'who', 'user', 'address', 'action', 'relay', 'details', 'why', 'allowed'];

export function AuditPage({ query }) {
  const filter = Object.fromEntries(NAMES.map((name) => [name, query.get(name) ?? '']));
  return html`<div class="page"><h1>Audit</h1><${Filter} key=${'f' + JSON.stringify(filter)} filter=${filter} /><${Entries} key=${JSON.stringify(filter)} filter=${filter} /></div>`;
}

function Filter({ filter }) {
  const { overview } = useLive();
  const [values, setValues] = useState(filter);
  const set = (name) => (value) => setValues((before) => ({ ...before, [name]: value.trim() }));
  const stores = (overview?.stores ?? []).map((store) => store.store);
  const submit = (event) => {
    event.preventDefault();
    go(address(['audit'], values));
  };
  return html`<form class="filters" onSubmit=${submit}><${Choice} label="Store" value=${values.store} onChange=${set('store')} options=${[...new Set([...stores, ...(values.store ? [values.store] : [])])]} any="all stores" />
    <${Field} label="Relay" value=${values.relay} onInput=${set('relay')} /><${Field} label="Who" value=${values.who} onInput=${set('who')} /><${Field} label="Action" value=${values.action} onInput=${set('action')} />
    <${Field} label="From (UTC)" placeholder="2026-01-31T10:00:00Z" value=${values.from} onInput=${set('from')} /><${Field} label="Until (UTC)" placeholder="2026-01-31T11:00:00Z" value=${values.until} onInput=${set('until')} />
    <div class="field submit"><button type="submit" class="primary">Search</button> <a class="button" href=${address(['audit'])}>Clear</a></div></form>`;
}

function Entries({ filter }) {
  const [pages, setPages] = useState({ rows: [], loading: true, unavailable: [] });
  const load = (after) => {
    setPages((before) => ({ ...before, loading: true, failure: undefined }));
    get('audit', { ...filter, after, limit: 100 }).then(
      (page) => setPages((before) => ({ rows: [...before.rows, ...page.entries], next: page.next, unavailable: page.unavailable ?? [] })),
      (failure) => setPages((before) => ({ ...before, loading: false, failure })));
  };
  useEffect(() => load(), []);
  return html`<${Unavailable} list=${pages.unavailable} /><${Failed} failure=${pages.failure} again=${() => load(pages.next)} />
    ${pages.rows.length > 0 && html`<div class="actions"><button type="button" onClick=${() => save(pages.rows)}>Save what is shown as CSV</button></div><${AuditTable} entries=${pages.rows} />`}
    ${!pages.failure && html`<${Bound} pages=${pages} onMore=${() => load(pages.next)} />`}`;
}

export function AuditTable({ entries }) {
  if (entries.length === 0) {
    return html`<p class="empty">Nobody has changed anything here.</p>`;
  }
  return html`<${Table} label="Audit" columns=${['When', 'Who', 'Action', 'Relay', 'Details', 'Why']}>${entries.map((entry) => html`<tr data-row tabindex="-1">
    <td data-label="When"><${Ago} at=${entry.at} /></td><td data-label="Who"><b><${Text} value=${entry.who} cut=${40} /></b>${entry.address && html`<div class="muted">${visible(entry.address)}</div>`}</td>
    <td data-label="Action">${visible(entry.action)}${entry.allowed === false && html` <${Mark} tone="parked">refused<//>`}</td>
    <td data-label="Relay"><${Text} value=${entry.relay} cut=${40} /></td><td data-label="Details" class="wide"><${Text} value=${entry.details} cut=${200} /></td><td data-label="Why" class="wide"><${Text} value=${entry.why} cut=${200} /></td></tr>`)}<//>`;
}

function save(rows) {
  const text = [COLUMNS.join(','), ...rows.map((row) => COLUMNS.map((column) => cell(row[column])).join(','))].join('\r\n') + '\r\n';
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  link.download = 'waybill-audit.csv';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** A cell that no spreadsheet takes for a formula. */
export function cell(value) {
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value ?? '');
  return '"' + (/^[=+\-@\t\r]/.test(text) ? "'" + text : text).replace(/"/g, '""') + '"';
}
