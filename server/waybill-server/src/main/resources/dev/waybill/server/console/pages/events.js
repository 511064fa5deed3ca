// Search for events. The filter is the address; keys and aggregate ids are in the fragment and in the body of the request only.

import { html, useEffect, useRef, useState } from '../vendor/preact/standalone.module.js';
import { post } from '../api.js';
import { BulkDialog, Field } from '../action.js';
import { useLive, useTick } from '../hooks.js';
import { Table } from '../list.js';
import { Action, Ago, EventState, Failed, Id, Text, Unavailable } from '../parts.js';
import { address, go } from '../router.js';
import { denied } from '../session.js';
import { spoken, visible } from '../text.js';
import { Bound } from './failures.js';

const PUBLIC = ['store', 'relay', 'state', 'id', 'type', 'aggregateType', 'from', 'until'];
const PERSONAL = ['aggregateId', 'key'];
const STATES = ['pending', 'published', 'parked', 'dead', 'discarded'];

export function EventsPage({ query, fragment }) {
  const { overview } = useLive();
  const stores = overview?.stores ?? [];
  const filter = {};
  PUBLIC.forEach((name) => { filter[name] = query.get(name) ?? ''; });
  PERSONAL.forEach((name) => { filter[name] = fragment.get(name) ?? ''; });
  const [replay, setReplay] = useState(false);
  const names = filter.store ? [filter.store] : stores.map((store) => store.store);
  const key = JSON.stringify([filter, filter.store ? '' : names]);
  return html`<div class="page"><h1>Events</h1>
    <${Filter} key=${'filter' + JSON.stringify(filter)} filter=${filter} stores=${stores} />
    <div class="actions"><${Action} denied=${denied() ?? notReplayed(filter)} onClick=${() => setReplay(true)}>Replay these…<//></div>
    ${names.length > 0 && html`<${Found} key=${key} filter=${filter} names=${names} />`}
    ${replay && html`<${BulkDialog} action="replay" previewPath="replays/preview" request=${replayOf(filter)} onClose=${() => setReplay(false)} />`}</div>`;
}

const REPLAYED = ['store', 'relay', 'type', 'aggregateType', 'aggregateId', 'from', 'until'];

/** Why what was found cannot be replayed: a replay must not publish more than the list shows. */
function notReplayed(filter) {
  const other = [...PUBLIC, ...PERSONAL].filter((name) => filter[name] !== '' && !REPLAYED.includes(name));
  if (other.length > 0) {
    return `a replay cannot select events by ${other.join(', ')}: clear that first`;
  }
  return filter.store && filter.relay ? undefined : 'choose a store and a relay first';
}

function replayOf(filter) {
  return filled(Object.fromEntries(REPLAYED.map((name) => [name, filter[name]])));
}

function filled(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}

function Filter({ filter, stores }) {
  const [values, setValues] = useState(filter);
  const set = (name) => (value) => setValues((before) => ({ ...before, [name]: value.trim() }));
  const submit = (event) => {
    event.preventDefault();
    const pick = (names) => Object.fromEntries(names.map((name) => [name, values[name]]));
    go(address(['events'], pick(PUBLIC), pick(PERSONAL)));
  };
  const relays = stores.filter((store) => !values.store || store.store === values.store).flatMap((store) => store.relays);
  const relayNames = [...new Set([...relays.map((relay) => relay.relay), ...(values.relay ? [values.relay] : [])])];
  const storeNames = [...new Set([...stores.map((store) => store.store), ...(values.store ? [values.store] : [])])];
  const needsRelay = values.state !== '' && values.relay === '';
  return html`<form class="filters" onSubmit=${submit}>
    <${Choice} label="Store" value=${values.store} onChange=${set('store')} options=${storeNames} any="all stores" />
    <${Choice} label="Relay" value=${values.relay} onChange=${set('relay')} options=${relayNames} any="any" />
    <${Choice} label="State" value=${values.state} onChange=${set('state')} options=${STATES} any="any" />
    <${Field} label="Id" value=${values.id} onInput=${set('id')} /><${Field} label="Type" value=${values.type} onInput=${set('type')} />
    <${Field} label="Aggregate type" value=${values.aggregateType} onInput=${set('aggregateType')} />
    <${Field} label="Aggregate id" value=${values.aggregateId} onInput=${set('aggregateId')} />
    <${Field} label="Key" value=${values.key} onInput=${set('key')} />
    <${Field} label="From (UTC)" placeholder="2026-01-31T10:00:00Z" value=${values.from} onInput=${set('from')} />
    <${Field} label="Until (UTC)" placeholder="2026-01-31T11:00:00Z" value=${values.until} onInput=${set('until')} />
    <div class="field submit"><button type="submit" class="primary" disabled=${needsRelay}>Search</button> <a class="button" href=${address(['events'])}>Clear</a>
    ${needsRelay && html`<span class="why">a state belongs to a relay: choose one</span>`}</div></form>`;
}

export function Choice({ label, value, onChange, options, any }) {
  return html`<label class="field"><span>${label}</span><select value=${value} onChange=${(e) => onChange(e.target.value)}>
    <option value="">${any}</option>${options.map((option) => html`<option value=${option}>${visible(option)}</option>`)}</select></label>`;
}

/** Pages of what was found, one store after another. Stop ends a search that looks at many rows. */
function Found({ filter, names }) {
  const [pages, setPages] = useState({ rows: [], unavailable: [], lookedAt: '0' });
  const running = useRef();
  const load = async (from) => {
    const controller = new AbortController();
    running.current = controller;
    setPages((before) => ({ ...before, loading: true, failure: undefined, since: performance.now() }));
    let place = from;
    try {
      let found = 0;
      while (place && found < 50) {
        const page = await post('events/search', { ...filled(filter), store: names[place.store], after: place.after, limit: 50 }, controller.signal)
          .catch((failure) => withoutStore(failure, names, names[place.store]));
        found += page.events.length;
        place = page.next ? { ...place, after: page.next } : place.store + 1 < names.length ? { store: place.store + 1 } : undefined;
        const next = place;
        setPages((before) => ({ ...before, rows: [...before.rows, ...page.events], unavailable: [...before.unavailable, ...page.unavailable ?? []], next, lookedAt: String(BigInt(before.lookedAt) + BigInt(page.lookedAt ?? 0)) }));
      }
      setPages((before) => ({ ...before, loading: false }));
    } catch (failure) {
      const next = place;
      setPages((before) => ({ ...before, loading: false, next, failure }));
    }
  };
  useEffect(() => {
    load({ store: 0 });
    return () => running.current.abort();
  }, []);
  return html`<${Unavailable} list=${pages.unavailable} /><${Failed} failure=${pages.failure} again=${() => load(pages.next ?? { store: 0 })} what=${'Store ' + visible(names[pages.next?.store ?? 0])} />
    ${pages.rows.length > 0 && html`<${Table} label="Events" columns=${['Event', 'Type', 'Aggregate', 'Appended', 'Relays']}>${pages.rows.map((event) => html`<${Row} key=${event.store + event.id} event=${event} several=${names.length > 1} />`)}<//>`}
    ${pages.loading ? html`<${Searching} pages=${pages} onStop=${() => running.current.abort()} />` : !pages.failure && html`<${Bound} pages=${pages} onMore=${() => load(pages.next)} />`}`;
}

/** A store that cannot be read hides no other one. */
function withoutStore(failure, names, store) {
  if (failure.code !== 'store-unavailable' || names.length === 1) {
    throw failure;
  }
  return { events: [], unavailable: [{ store, error: failure.message }] };
}

function Searching({ pages, onStop }) {
  useTick();
  const seconds = Math.floor((performance.now() - pages.since) / 1000);
  return html`<p class="muted" role="status">Looking${seconds > 0 ? ` for ${spoken(seconds)}, looked at ${pages.lookedAt}` : ''}… <button type="button" onClick=${onStop}>Stop</button></p>`;
}

function Row({ event, several }) {
  return html`<tr data-row tabindex="-1"><td data-label="Event"><${Id} value=${event.id} href=${address(['events', event.store, event.id])} />${several && html` <span class="muted">${visible(event.store)}</span>`}</td>
    <td data-label="Type"><b><${Text} value=${event.type} cut=${60} /></b></td>
    <td data-label="Aggregate"><${Text} value=${event.aggregateType} cut=${40} />${event.aggregateId !== undefined && html` <code><${Text} value=${event.aggregateId} cut=${40} /></code>`}</td>
    <td data-label="Appended"><${Ago} at=${event.createdAt} /></td>
    <td data-label="Relays" class="wide">${event.relays.map((each) => html`<div><${Text} value=${each.relay} cut=${40} />: <${EventState} state=${each.state} />${Number(each.attempts) > 1 && html` <span class="muted">${each.attempts} attempts</span>`}</div>`)}</td></tr>`;
}
