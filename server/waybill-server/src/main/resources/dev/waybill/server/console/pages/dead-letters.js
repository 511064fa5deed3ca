// Dead letters of consumers: the topics, and the letters of one topic by consumer and error.

import { html, useState } from '../vendor/preact/standalone.module.js';
import { get, path } from '../api.js';
import { BulkDialog } from '../action.js';
import { useLoaded } from '../hooks.js';
import { SelectAll, SelectOne, Table, useSelection } from '../list.js';
import { Action, Ago, Id, Loading, Nothing, Text, Unavailable } from '../parts.js';
import { address } from '../router.js';
import { denied } from '../session.js';
import { bytes, count, counted, plural, visible } from '../text.js';

export function DeadLettersPage({ parts: [, destination, topic] }) {
  return topic === undefined ? html`<${Topics} only=${destination} />` : html`<${Letters} key=${destination + '\n' + topic} destination=${destination} topic=${topic} />`;
}

function Topics({ only }) {
  const loaded = useLoaded((signal) => get('dead-letters', {}, signal), [], 30_000);
  const topics = (loaded.value?.topics ?? []).filter((topic) => !only || topic.destination === only);
  return html`<div class="page"><h1>Dead letters</h1><p class="muted">Messages that a consumer gave up, kept by the broker until someone decides.</p>
    <${Loading} loaded=${loaded} what="Dead letters" /><${Unavailable} list=${loaded.value?.unavailable} />
    ${(loaded.value?.uncounted ?? []).length > 0 && html`<p class="muted">Not counted, because counting withholds letters from others: ${loaded.value.uncounted.map(visible).join(', ')}</p>`}
    ${loaded.value && topics.length === 0 && html`<${Nothing} unavailable=${loaded.value.unavailable}>There are no dead letters in the destinations this process knows.<//>`}
    ${topics.length > 0 && html`<${Table} label="Dead letters" columns=${['Topic', 'Destination', { name: 'Letters', number: true }, 'Consumers']}>${topics.map((topic) => html`<tr data-row tabindex="-1" key=${topic.destination + topic.topic}>
      <td data-label="Topic"><a href=${address(['dead-letters', topic.destination, topic.topic])}><b><${Text} value=${topic.topic} cut=${80} /></b></a></td>
      <td data-label="Destination">${visible(topic.destination)}</td><td data-label="Letters" class="number">${counted(topic.letters, { more: !topic.exact })}</td>
      <td data-label="Consumers">${(topic.consumers ?? []).map((each) => html`<div><${Text} value=${each.consumer} cut=${60} />: ${count(each.letters)}</div>`)}</td></tr>`)}<//>`}</div>`;
}

function Letters({ destination, topic }) {
  const [limit, setLimit] = useState(100);
  const loaded = useLoaded((signal) => get('dead-letters/' + path(destination, topic), { limit }, signal), [destination, topic, limit]);
  const selection = useSelection();
  const [dialog, setDialog] = useState();
  const letters = loaded.value?.letters ?? [];
  const chosen = { places: [...selection.ids] };
  const ask = (action, what) => setDialog({ action, destination, topic, ...what });
  return html`<div class="page"><h1><span class="muted"><a href=${address(['dead-letters'])}>Dead letters</a> / ${visible(destination)} /</span> <${Text} value=${topic} cut=${100} /></h1>
    <${Loading} loaded=${loaded} what="These letters" />
    ${loaded.value && letters.length === 0 && html`<p class="empty">There is no letter here.</p>`}
    ${letters.length > 0 && html`<section><h2>By consumer and error</h2><${Kinds} letters=${letters} more=${loaded.value.more} onAct=${ask} /></section>
      <section><h2>Letters, oldest first <button type="button" class="small" onClick=${() => { selection.clear(); loaded.again(); }}>Look again</button></h2>
      <div class="actions">${selection.ids.size > 0 && html`<span role="status">${count(selection.ids.size)} selected</span>
        <${Action} denied=${denied()} onClick=${() => ask('send-back', chosen)}>Send back selected…<//> <${Action} denied=${denied()} danger onClick=${() => ask('discard', chosen)}>Discard selected…<//>`}</div>
      <${Table} label="Letters" columns=${[{ name: html`<${SelectAll} selection=${selection} ids=${letters.map((letter) => letter.place)} />` }, 'Place', 'From', 'Event', 'Consumer', 'Error', 'Failed', { name: 'Size', number: true }]}>${letters.map((letter) => html`<${Letter} key=${letter.place} letter=${letter} selection=${selection} />`)}<//>
      <p class="muted">${plural(letters.length, 'letter')}${loaded.value.more ? html` shown, there are more. <button type="button" disabled=${limit >= 1000} onClick=${() => setLimit(limit * 2)}>Show more</button>` : ', all there are.'}</p></section>`}
    ${dialog && html`<${BulkDialog} action=${dialog.action} previewPath="dead-letters/preview" request=${dialog} onClose=${() => setDialog(undefined)} onStarted=${selection.clear} />`}</div>`;
}

/** Groups of the letters shown.. */
function Kinds({ letters, more, onAct }) {
  const kinds = new Map();
  for (const letter of letters) {
    const key = letter.consumer + '\n' + String(letter.error).replace(/\d+/g, '#').slice(0, 300);
    const kind = kinds.get(key) ?? { consumer: letter.consumer, error: letter.error, places: [] };
    kind.places.push(letter.place);
    kinds.set(key, kind);
  }
  const list = [...kinds.values()].sort((a, b) => b.places.length - a.places.length);
  return html`<${Table} label="Groups of letters" columns=${['Consumer', 'Error', { name: 'Letters', number: true }, { name: 'Do', number: true }]}>${list.map((kind) => html`<tr data-row tabindex="-1">
    <td data-label="Consumer"><b><${Text} value=${kind.consumer} cut=${60} /></b></td><td data-label="Error" class="wide"><${Text} value=${kind.error} cut=${160} /></td>
    <td data-label="Letters" class="number">${counted(kind.places.length, { more })}</td>
    <td class="do"><${Action} denied=${denied()} onClick=${() => onAct('send-back', { places: kind.places })}>Send back…<//>
      ${!denied() && html` <${Action} danger onClick=${() => onAct('discard', { places: kind.places })}>Discard…<//>`}</td></tr>`)}<//>
    <div class="actions"><${Action} denied=${denied()} onClick=${() => onAct('send-back', { all: true })}>Send back all of this topic…<//></div>`;
}

function Letter({ letter, selection }) {
  return html`<tr data-row tabindex="-1"><td class="select"><${SelectOne} selection=${selection} id=${letter.place} label=${'letter ' + visible(letter.place)} /></td>
    <td data-label="Place"><code><${Text} value=${letter.place} cut=${40} /></code></td><td data-label="From"><${Text} value=${letter.origin} cut=${60} /></td>
    <td data-label="Event">${letter.eventId ? html`<${Id} value=${letter.eventId} href=${address(['events'], { id: letter.eventId })} />` : '–'}</td>
    <td data-label="Consumer"><${Text} value=${letter.consumer} cut=${40} /></td><td data-label="Error" class="wide"><${Text} value=${letter.error} cut=${200} /></td>
    <td data-label="Failed">${letter.failedAt ? html`<${Ago} at=${letter.failedAt} />` : '–'}</td><td data-label="Size" class="number">${bytes(letter.bytes)}${letter.message !== 'whole' && html`<div class="muted">${visible(letter.message)}</div>`}</td></tr>`;
}
