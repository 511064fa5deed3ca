// Changes in progress and done: how many, how many are left, cancel between two steps.

import { html, useEffect, useState } from '../vendor/preact/standalone.module.js';
import { get, path, post } from '../api.js';
import { announce, useLoaded } from '../hooks.js';
import { Table } from '../list.js';
import { subscribe } from '../live.js';
import { Action, Ago, Failed, Loading, Mark, Text } from '../parts.js';
import { address } from '../router.js';
import { denied } from '../session.js';
import { age, count, visible } from '../text.js';

const TONES = { running: 'pending', cancelling: 'parked', done: 'fine', cancelled: 'paused', failed: 'dead' };
const toneOf = (operation) => (operation.state === 'done' && (operation.failed !== '0' || (operation.unknown ?? '0') !== '0') ? 'parked' : TONES[operation.state] ?? 'pending');
const ACTIVE = ['running', 'cancelling'];

export function OperationsPage({ parts: [, id] }) {
  return id === undefined ? html`<${All} />` : html`<${One} key=${id} id=${id} />`;
}

function All() {
  const loaded = useLoaded((signal) => get('operations', {}, signal), []);
  useEffect(() => subscribe('operation', loaded.again), []);
  const list = loaded.value?.operations ?? [];
  return html`<div class="page"><h1>Operations</h1><p class="muted">Bulk changes made through this process since it started. Every step is in the <a href=${address(['audit'])}>audit</a>.</p>
    <${Loading} loaded=${loaded} what="Operations" />
    ${loaded.value && list.length === 0 && html`<p class="empty">There was none yet.</p>`}
    ${list.length > 0 && html`<${Table} label="Operations" columns=${['Operation', 'State', 'By', { name: 'Done', number: true }, { name: 'Of', number: true }, 'Started']}>${list.map((each) => html`<tr data-row tabindex="-1" key=${each.id}>
      <td data-label="Operation" class="wide"><a href=${address(['operations', each.id])}><b>${visible(each.action)}</b> <${Text} value=${each.words} cut=${100} /></a></td>
      <td data-label="State"><${Mark} tone=${toneOf(each)}>${visible(each.state)}<//></td><td data-label="By"><${Text} value=${each.by} cut=${40} /></td>
      <td data-label="Done" class="number">${count(each.done)}</td><td data-label="Of" class="number">${total(each)}</td><td data-label="Started"><${Ago} at=${each.startedAt} /></td></tr>`)}<//>`}</div>`;
}

function One({ id }) {
  const [pushed, setPushed] = useState();
  const [failure, setFailure] = useState();
  const loaded = useLoaded((signal) => get('operations/' + path(id), {}, signal), [id], 2000);
  useEffect(() => subscribe('operation', (operation) => operation.id === id && setPushed(operation)), [id]);
  const newest = [loaded.value, pushed].filter(Boolean).sort((a, b) => progress(a) - progress(b)).at(-1);
  useEffect(() => {
    if (newest && !ACTIVE.includes(newest.state)) {
      announce('operation ' + newest.state);
    }
  }, [newest?.state]);
  const cancel = () => post('operations/' + path(id) + '/cancel').then(setPushed, setFailure);
  return html`<div class="page"><h1><span class="muted"><a href=${address(['operations'])}>Operations</a> /</span> ${newest ? visible(newest.action) : ''}</h1>
    ${!newest && html`<${Loading} loaded=${loaded} what="This operation" />`}<${Failed} failure=${failure} />
    ${newest && html`<${Progress} operation=${newest} /><${Facts} operation=${newest} />
      ${ACTIVE.includes(newest.state) && html`<div class="actions"><${Action} denied=${denied() ?? (newest.state === 'cancelling' ? 'being cancelled' : undefined)} danger onClick=${cancel}>Cancel the rest<//></div>`}`}</div>`;
}

// An ended operation is newer than a running one; otherwise the one that has done more.
function progress(operation) {
  const ended = ACTIVE.includes(operation.state) ? (operation.state === 'cancelling' ? 1e15 : 0) : 2e15;
  return ended + through(operation);
}

function through(operation) {
  return Number(operation.done) + Number(operation.skipped) + Number(operation.failed) + Number(operation.unknown ?? 0);
}

/** A replay may send more than its preview counted: events that were appended meanwhile, or that it had not come to. */
function most(operation) {
  return Math.max(Number(operation.total), through(operation));
}

function total(operation) {
  return operation.totalExact ? count(most(operation)) : '–';
}

function Progress({ operation }) {
  const of = operation.totalExact ? ' of ' + total(operation) : '';
  return html`<p class="headline"><${Mark} tone=${toneOf(operation)}><b>${visible(operation.state)}: ${count(operation.done)}${of}</b><//>
      ${operation.leftSeconds !== undefined && ` about ${age(operation.leftSeconds)} left`}</p>
    ${operation.totalExact
      ? html`<progress max=${Math.max(1, most(operation))} value=${through(operation)} aria-label="Progress">${through(operation)}${of}</progress>`
      : ACTIVE.includes(operation.state) && html`<progress aria-label="Progress" />`}
    ${operation.error && html`<p class="card trouble"><${Text} value=${operation.error} cut=${600} /></p>`}`;
}

function Facts({ operation }) {
  const left = operation.totalExact ? count(most(operation) - through(operation)) : '–';
  const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<p><${Text} value=${operation.words} cut=${400} /></p><dl class="facts">
    ${fact('Done', count(operation.done))}${fact('Skipped', html`${count(operation.skipped)}${operation.skipped !== '0' && html` <span class="muted">changed by someone else meanwhile, or locked</span>`}`)}
    ${fact('Failed', count(operation.failed))}${(operation.unknown ?? '0') !== '0' && fact('Unknown', html`${count(operation.unknown)} <span class="muted">the answer was lost: ${operation.topic ? 'some may have been changed' : 'the audit tells whether they were changed'}</span>`)}${fact('Left', left)}${fact('At most per s', count(operation.rate))}
    ${operation.relay && fact('Relay', html`<a href=${address(['relays', operation.store, operation.relay])}><${Text} value=${operation.relay} cut=${60} /></a>`)}
    ${operation.topic && fact('Topic', html`<a href=${address(['dead-letters', operation.destination, operation.topic])}><${Text} value=${operation.topic} cut=${60} /></a>`)}
    ${fact('By', html`<${Text} value=${operation.by} cut=${60} />`)}${operation.reason && fact('Reason', html`<${Text} value=${operation.reason} cut=${300} />`)}
    ${fact('Started', html`<${Ago} at=${operation.startedAt} />`)}${operation.endedAt && fact('Ended', html`<${Ago} at=${operation.endedAt} />`)}</dl>`;
}
