// Parked and dead events: groups first, then the rows of one group.

import { html, useEffect, useRef, useState } from '../vendor/preact/standalone.module.js';
import { get, path } from '../api.js';
import { BulkDialog } from '../action.js';
import { useLive, useLoaded } from '../hooks.js';
import { SelectAll, SelectOne, Table, useSelection } from '../list.js';
import { Action, Ago, EventState, Failed, Id, Loading, Nothing, Text, Unavailable } from '../parts.js';
import { address, go } from '../router.js';
import { denied } from '../session.js';
import { count, plural, visible } from '../text.js';
import { Groups } from './groups.js';

export function FailuresPage({ query }) {
  const chosen = { store: query.get('store') ?? '', relay: query.get('relay') ?? '', state: query.get('state') ?? '', type: query.get('type') ?? '', group: query.get('group') ?? '', behind: query.get('behind') ?? '' };
  if (chosen.behind && chosen.relay) {
    return html`<${BehindPage} chosen=${chosen} />`;
  }
  return html`<${GroupsPage} chosen=${chosen} />`;
}

/** Events that wait behind one of their key. */
function BehindPage({ chosen }) {
  return html`<div class="page"><h1>Waiting behind <${Id} value=${chosen.behind} href=${address(['events', chosen.store, chosen.behind])} /></h1>
    <p class="muted">Events of the same key in ${visible(chosen.relay)}. They go on, in order, when it is published or discarded.</p>
    <${Rows} key=${JSON.stringify(chosen)} chosen=${chosen} /></div>`;
}

function GroupsPage({ chosen }) {
  const groups = useLoaded((signal) => get('failures', { store: chosen.store, relay: chosen.relay }, signal), [chosen.store, chosen.relay], 15_000);
  const one = chosen.group !== '' && chosen.relay !== '';
  const shown = groups.value?.groups ?? [];
  const smaller = Number(groups.value?.smaller ?? 0);
  const group = one && shown.find((each) => each.group === chosen.group && each.state === chosen.state && each.type === chosen.type);
  return html`<div class="page"><h1>Failures</h1>
    <${Filter} chosen=${chosen} />
    <${Loading} loaded=${groups} what="Failures" /><${Unavailable} list=${groups.value?.unavailable} />
    ${groups.value && !one && html`<${Groups} groups=${shown} unavailable=${groups.value.unavailable} showRelay where=${chosen.relay ? visible(chosen.relay) : 'any relay'} onChanged=${groups.again} />
      ${smaller > 0 && html`<p class="muted">${count(smaller)} smaller groups are not shown: requeue or discard some of these, or choose by type.</p>`}`}
    ${one && html`<p><a href=${address(['failures'], { store: chosen.store, relay: chosen.relay })}>All groups</a></p>
      ${group ? html`<${Groups} groups=${[group]} showRelay where="" onChanged=${groups.again} />` : groups.value && html`<${Nothing} unavailable=${groups.value.unavailable}>${smaller > 0 ? 'This group is not among the biggest, or is empty now.' : 'This group is empty now: its events were requeued, discarded or published.'}<//>`}`}
    ${chosen.relay && html`<${Rows} key=${JSON.stringify(chosen)} chosen=${chosen} total=${group?.count} />`}</div>`;
}

function Filter({ chosen }) {
  const { overview } = useLive();
  const relays = (overview?.stores ?? []).flatMap((store) => store.relays);
  const choose = (event) => {
    const relay = relays[event.target.value];
    go(address(['failures'], relay ? { store: relay.store, relay: relay.relay } : {}));
  };
  const at = relays.findIndex((relay) => relay.store === chosen.store && relay.relay === chosen.relay);
  return html`<div class="filters"><label class="field"><span>Relay</span><select value=${String(at)} onChange=${choose}><option value="-1">all relays</option>
    ${relays.map((relay, index) => html`<option value=${String(index)}>${visible(relay.relay)} (${visible(relay.store)})</option>`)}</select></label></div>`;
}

/** Rows of one relay or of one group, in pages. A selection keeps the rows as they are. */
function Rows({ chosen, total }) {
  const [pages, setPages] = useState({ rows: [], next: undefined, lookedAt: '0', loading: true });
  const [dialog, setDialog] = useState();
  const selection = useSelection();
  const controller = useRef();
  const load = (after) => {
    controller.current?.abort();
    controller.current = new AbortController();
    setPages((before) => ({ ...(after ? before : { rows: [] }), loading: true }));
    const { state, type, group, behind } = chosen;
    const asked = behind
      ? get('failures/' + path(chosen.store, chosen.relay, 'behind', behind), { limit: 1000 }, controller.current.signal)
      : get('failures/' + path(chosen.store, chosen.relay) + '/rows', { state, type, group, after, limit: 50 }, controller.current.signal);
    asked.then(
      (page) => setPages((before) => ({ rows: [...before.rows, ...page.rows], next: page.next, lookedAt: page.lookedAt, more: page.more })),
      (failure) => failure.name === 'AbortError' || setPages((before) => ({ ...before, loading: false, failure })));
  };
  useEffect(() => {
    load();
    return () => controller.current.abort();
  }, []);
  const ids = [...selection.ids];
  const request = { action: dialog, store: chosen.store, relay: chosen.relay, ids };
  const columns = [html`<${SelectAll} selection=${selection} ids=${pages.rows.map((row) => row.id)} />`, 'Event', 'State', 'Type', { name: 'Attempts', number: true }, 'Error', 'Failed', 'Next try'];
  return html`<section><h2>Events ${pages.rows.length > 0 && html`<button type="button" class="small" onClick=${() => { selection.clear(); load(); }}>Look again</button>`}</h2>
    <div class="actions">${selection.ids.size > 0 && html`<span role="status">${count(selection.ids.size)} selected</span>
      <${Action} denied=${denied()} onClick=${() => setDialog('requeue')}>Requeue selected…<//>${' '}
      <${Action} denied=${denied()} danger onClick=${() => setDialog('discard')}>Discard selected…<//>
      <button type="button" onClick=${selection.clear}>Select none</button>`}</div>
    <${Failed} failure=${pages.failure} again=${() => load(pages.next)} />
    ${pages.rows.length > 0 && html`<${Table} label="Events" columns=${columns.map((column) => (column.name || typeof column === 'string' ? column : { name: column }))}>${pages.rows.map((row) => html`<${Row} key=${row.id} row=${row} store=${chosen.store} selection=${selection} />`)}<//>`}
    <${Bound} pages=${pages} total=${total} onMore=${() => load(pages.next)} />
    ${dialog && html`<${BulkDialog} action=${dialog} previewPath="actions/preview" request=${request} onClose=${() => setDialog(undefined)} onStarted=${selection.clear} />`}</section>`;
}

function Row({ row, store, selection }) {
  return html`<tr data-row tabindex="-1"><td class="select"><${SelectOne} selection=${selection} id=${row.id} label=${'event ' + visible(row.id)} /></td>
    <td data-label="Event"><${Id} value=${row.id} href=${address(['events', store, row.id])} /></td>
    <td data-label="State"><${EventState} state=${row.state} />${row.holdsKey && html` <span class="muted">holds its key</span>`}</td>
    <td data-label="Type"><${Text} value=${row.type} cut=${60} /></td><td data-label="Attempts" class="number">${count(row.attempts)}</td>
    <td data-label="Error" class="wide"><${Text} value=${row.error} cut=${160} /></td>
    <td data-label="Failed">${row.failedAt ? html`<${Ago} at=${row.failedAt} />` : '–'}</td>
    <td data-label="Next try">${row.nextAttemptAt ? html`<${Ago} at=${row.nextAttemptAt} />` : '–'}</td></tr>`;
}

/** "None" differs from "none in what was looked at". */
export function Bound({ pages, onMore, total }) {
  if (pages.loading) {
    return html`<p role="status" class="muted">Looking…</p>`;
  }
  const looked = pages.lookedAt && pages.lookedAt !== '0' ? `, looked at ${count(pages.lookedAt)}` : '';
  if (!pages.next && pages.failure) {
    return undefined;
  }
  if (!pages.next && (pages.unavailable ?? []).length > 0) {
    return html`<p class="muted" role="status">${pages.rows.length === 0 ? 'None known' : plural(pages.rows.length, 'row')}, because not everything can be read.</p>`;
  }
  if (!pages.next) {
    return html`<p class="muted" role="status">${pages.rows.length === 0 ? 'None' : plural(pages.rows.length, 'row') + (pages.more ? '; there may be more' : ', all there are')}${looked}.</p>`;
  }
  return html`<p class="muted" role="status">${pages.rows.length === 0 ? 'None so far' : plural(pages.rows.length, 'row') + (total ? ' of ' + count(total) : '') + ' shown'}${looked}; there may be more.
    ${' '}<button type="button" onClick=${onMore}>Go on</button></p>`;
}
