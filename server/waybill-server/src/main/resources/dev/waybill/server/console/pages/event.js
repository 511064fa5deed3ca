// One event: its life as a timeline for each relay, and its payload behind a reason.

import { html, useState } from '../vendor/preact/standalone.module.js';
import { get, path, post } from '../api.js';
import { BulkDialog, ConfirmDialog } from '../action.js';
import { useLoaded } from '../hooks.js';
import { Action, Ago, Copy, EventState, Failed, Loading, Mark, Text } from '../parts.js';
import { indented } from '../payload.js';
import { address } from '../router.js';
import { denied } from '../session.js';
import { bytes, count, plural, visible } from '../text.js';
import { AuditTable } from './audit.js';

const FAILED = ['parked', 'dead', 'due', 'waiting'];

export function EventPage({ parts: [, store, id] }) {
  const loaded = useLoaded((signal) => get('events/' + path(store, id), {}, signal), [store, id]);
  const [dialog, setDialog] = useState();
  const [payload, setPayload] = useState();
  const event = loaded.value;
  return html`<div class="page"><h1>Event <code><${Text} value=${id} cut=${80} /></code> <${Copy} text=${id} label="Copy the id" /></h1>
    <${Loading} loaded=${loaded} what="This event" />
    ${event && html`<${Facts} event=${event} />
      <section><h2>Life</h2><${Life} event=${event} onAct=${setDialog} /></section>
      <section><h2>Payload</h2>${payload ? html`<${Payload} payload=${payload} />` : html`<p>${bytes(event.payloadBytes)}, hidden: it may hold personal data. <${Action} denied=${denied()} onClick=${() => setDialog({ action: 'reveal' })}>Show the payload…<//></p>`}</section>
      <section><h2>Audit</h2>${event.auditMore && html`<p class="muted">Only the newest ${count(event.auditLookedAt)} entries of the audit were looked at; there are older ones.</p>`}
        ${(event.audit?.length > 0 || !event.auditMore) && html`<${AuditTable} entries=${event.audit ?? []} />`}</section>`}
    ${dialog?.action === 'reveal' && html`<${ConfirmDialog} title="Show the payload" label="Show" means="Who looked and why is kept in the audit of the store." onClose=${() => setDialog(undefined)}
      run=${(reason) => post('events/' + path(store, id) + '/payload', { reason }).then(setPayload)} />`}
    ${dialog && dialog.action !== 'reveal' && html`<${BulkDialog} action=${dialog.action} previewPath="actions/preview" request=${{ action: dialog.action, store, relay: dialog.relay, ids: [id] }} onClose=${() => setDialog(undefined)} />`}</div>`;
}

function Facts({ event }) {
  const same = address(['events'], { store: event.store, aggregateType: event.aggregateType }, { aggregateId: event.aggregateId });
  return html`<dl class="facts roomy"><div><dt>Type</dt><dd><b><${Text} value=${event.type} cut=${200} /></b></dd></div>
    <div><dt>Store</dt><dd>${visible(event.store)}</dd></div>
    <div><dt>Aggregate</dt><dd><${Text} value=${event.aggregateType} cut=${80} /> ${event.aggregateId !== undefined
      ? html`<code><${Text} value=${event.aggregateId} cut=${80} /></code> <a href=${same}>all its events</a>` : html`<span class="muted">id hidden: needs the role operator</span>`}</dd></div>
    <div><dt>Appended</dt><dd><${Ago} at=${event.createdAt} /></dd></div></dl>`;
}

function Life({ event, onAct }) {
  return html`<ol class="life"><li><${Mark} tone="fine">appended<//> <${Ago} at=${event.createdAt} /></li>
    ${event.relays.map((relay) => html`<li><a href=${address(['relays', event.store, relay.relay])}><b><${Text} value=${relay.relay} cut=${60} /></b></a> <${EventState} state=${relay.parked ?? relay.state} /> <${Chapter} store=${event.store} id=${event.id} relay=${relay} />
      ${FAILED.includes(relay.state) && html`<div class="actions">${(relay.parked ?? relay.state) !== 'waiting' && html`<${Action} denied=${denied()} onClick=${() => onAct({ action: 'requeue', relay: relay.relay })}>Requeue…<//>${' '}`}
        <${Action} denied=${denied()} danger onClick=${() => onAct({ action: 'discard', relay: relay.relay })}>Discard…<//></div>`}</li>`)}</ol>
    ${event.relays.length === 0 && html`<p class="empty">No relay of this store has to publish it.</p>`}`;
}

/** How many events of the same key wait behind this one. */
function Behind({ store, id, relay }) {
  const loaded = useLoaded((signal) => get('failures/' + path(store, relay.relay, 'behind', id), { limit: 1 }, signal), [store, id, relay.relay]);
  const found = loaded.value;
  const holds = relay.holdsKey ? 'It holds its key: ' : '';
  if (!found) {
    return html`<div>${loaded.failure ? html`<${Failed} failure=${loaded.failure} again=${loaded.again} what="What waits behind it" />` : holds + 'counting what waits behind it…'}</div>`;
  }
  if (found.count === '0') {
    return html`<div>${holds}${found.more ? 'no event of its key was found behind it among those looked at.' : 'no event of its key waits behind it.'}</div>`;
  }
  const number = found.more ? count(found.count) + ' or more events' : plural(Number(found.count), 'event');
  return html`<div>${holds}<a href=${address(['failures'], { store, relay: relay.relay, behind: id })}>${number} of its key</a> ${found.more || found.count !== '1' ? 'wait' : 'waits'} behind it.</div>`;
}

function Chapter({ store, id, relay }) {
  const attempts = Number(relay.attempts ?? 0);
  const number = attempts > 0 ? 'after ' + plural(attempts, 'attempt') : relay.state === 'dead' ? 'without an attempt' : '';
  return html`<span class="muted">${number}</span>${relay.publishedBy && html` at the latest <${Ago} at=${relay.publishedBy} />`}
    ${relay.failedAt && html`${number && ','} failed <${Ago} at=${relay.failedAt} />`}${relay.nextAttemptAt && html`, next try <${Ago} at=${relay.nextAttemptAt} />`}
    ${(relay.state === 'parked' || relay.holdsKey) && html`<${Behind} store=${store} id=${id} relay=${relay} />`}
    ${relay.error && html`<div class="error"><${Text} value=${relay.error} cut=${1000} /></div>`}
    ${relay.discardedAt && html`<div>discarded <${Ago} at=${relay.discardedAt} />${relay.discarded && html`: <${Text} value=${relay.discarded} cut=${300} />`}</div>`}`;
}

function Payload({ payload }) {
  const [raw, setRaw] = useState(false);
  const text = payload.text ?? payload.base64 ?? '';
  const json = payload.text !== undefined && /json/.test(payload.contentType ?? 'json');
  return html`<p>${visible(payload.contentType)}, ${bytes(payload.bytes)}${payload.cut && html`, <b>only the beginning is shown</b>`}${payload.base64 !== undefined && ', not text: shown in Base64'}
      ${json && html` <button type="button" class="small" aria-pressed=${String(raw)} onClick=${() => setRaw(!raw)}>As stored</button>`} <${Copy} text=${text} label="Copy the payload" /></p>
    <pre class="payload" tabindex="0" role="region" aria-label="Payload">${visible(json && !raw ? indented(text) : text)}</pre>`;
}
