// Replays: events that are published again beside their relay.

import { html, useState } from '../vendor/preact/standalone.module.js';
import { get, path, post } from '../api.js';
import { ConfirmDialog } from '../action.js';
import { useLoaded } from '../hooks.js';
import { Table } from '../list.js';
import { Action, Ago, Command, Loading, Mark, Nothing, Text, Unavailable } from '../parts.js';
import { address } from '../router.js';
import { denied } from '../session.js';
import { count, counted, visible } from '../text.js';

/** Names of relays that can be pasted. Others may have written something else into the store. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const TONES = { open: 'pending', cancelling: 'parked', cancelled: 'paused', through: 'fine' };

export function ReplaysPage() {
  const loaded = useLoaded((signal) => get('replays', {}, signal), [], 5000);
  const [cancelled, setCancelled] = useState();
  const list = loaded.value?.replays ?? [];
  const without = loaded.value?.unsupported ?? [];
  const columns = ['Replay', 'State', 'Events', { name: 'Sent', number: true }, { name: 'Not sent', number: true }, { name: 'Parked', number: true }, { name: 'Dead', number: true }, 'By', 'Started', { name: 'Do', number: true }];
  return html`<div class="page"><h1>Replays</h1><p class="muted">A replay publishes past events again, with the same ids, while its relay goes on. Choose them on the page <a href=${address(['events'])}>Events</a>: set a store and a relay, then “Replay these”.</p>
    <${Loading} loaded=${loaded} what="Replays" /><${Unavailable} list=${loaded.value?.unavailable} />
    ${without.length > 0 && html`<p class="muted">Stores without replays: ${without.map(visible).join(', ')}</p>`}
    ${loaded.value && list.length === 0 && html`<${Nothing} unavailable=${loaded.value.unavailable}>There is no replay.<//>`}
    ${list.length > 0 && html`<${Table} label="Replays" columns=${columns}>${list.map((replay) => html`<${Row} key=${replay.store + replay.name} replay=${replay} onCancel=${() => setCancelled(replay)} />`)}<//>`}
    ${cancelled && html`<${ConfirmDialog} title=${'Cancel ' + visible(cancelled.name)} label="Cancel the replay" danger means="What was sent stays sent. The rest is not sent." onClose=${() => { setCancelled(undefined); loaded.again(); }}
      run=${(reason) => post('replays/' + path(cancelled.store, cancelled.name) + '/cancel', { reason })} />`}</div>`;
}

function Row({ replay, onCancel }) {
  const words = replay.state + (replay.state === 'open' ? (replay.paused ? ', paused' : replay.running ? ', running' : ', not running') : '');
  const abandoned = replay.state === 'open' && !replay.paused && !replay.running && NAME.test(replay.name);
  return html`<tr data-row tabindex="-1"><td data-label="Replay"><a href=${address(['relays', replay.store, replay.name])}><b><${Text} value=${replay.name} cut=${60} /></b></a> <span class="muted">${visible(replay.store)}</span></td>
    <td data-label="State"><${Mark} tone=${replay.paused ? 'paused' : TONES[replay.state] ?? 'pending'}>${visible(words)}<//>${abandoned && html`<div class="muted">Go on with it in a terminal, for the RELAY it was started with: <${Command} text=${'waybill replay run ' + replay.name + ' --relay RELAY'} /></div>`}</td><td data-label="Events" class="wide"><${Text} value=${replay.events} cut=${160} /></td>
    <td data-label="Sent" class="number">${count(replay.sent)}</td><td data-label="Not sent" class="number">${counted(replay.notSent, { estimate: !replay.notSentExact })}</td>
    <td data-label="Parked" class="number">${count(replay.parked)}</td><td data-label="Dead" class="number">${count(replay.dead)}</td>
    <td data-label="By"><${Text} value=${replay.by} cut=${40} />${replay.reason && html`<div class="muted"><${Text} value=${replay.reason} cut=${80} /></div>`}</td><td data-label="Started"><${Ago} at=${replay.startedAt} /></td>
    <td class="do">${replay.state === 'open' && html`<${Action} denied=${denied()} danger onClick=${onCancel}>Cancel…<//>`}</td></tr>`;
}
