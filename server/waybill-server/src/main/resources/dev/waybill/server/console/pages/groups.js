// Failure groups: relay × type × normalised error, with the changes that can be made to a whole group.

import { html, useState } from '../vendor/preact/standalone.module.js';
import { BulkDialog } from '../action.js';
import { Table } from '../list.js';
import { Action, Ago, EventState, Nothing, Text } from '../parts.js';
import { address } from '../router.js';
import { denied } from '../session.js';
import { count, counted, visible } from '../text.js';

export function matchOf(group) {
  return { store: group.store, relay: group.relay, match: { state: group.state, type: group.type, group: group.group } };
}

export function groupAddress(group) {
  return address(['failures'], { store: group.store, relay: group.relay, state: group.state, type: group.type, group: group.group });
}

/** `where` names the place for the sentence that nothing failed, which is only true if nothing is unavailable. */
export function Groups({ groups, unavailable, where, showRelay = false, onChanged = () => {} }) {
  const [dialog, setDialog] = useState();
  if (groups.length === 0) {
    return html`<${Nothing} unavailable=${unavailable}>Nothing is parked or dead in ${where}.<//>`;
  }
  const columns = [...(showRelay ? ['Relay'] : []), 'State', 'Type and error', { name: 'Events', number: true }, { name: 'Keys held', number: true },
    { name: '1 h', number: true }, { name: '24 h', number: true }, { name: '7 d', number: true }, 'Last', { name: 'Do', number: true }];
  return html`<${Table} label="Failure groups" columns=${columns}>${groups.map((group) => html`<${Row} key=${[group.store, group.relay, group.state, group.type, group.group].join('\n')} group=${group} showRelay=${showRelay} onAct=${setDialog} />`)}<//>
    ${dialog && html`<${BulkDialog} action=${dialog.action} previewPath="actions/preview" request=${{ action: dialog.action, ...matchOf(dialog.group) }} onClose=${() => setDialog(undefined)} onStarted=${onChanged} />`}`;
}

function Row({ group, showRelay, onAct }) {
  const label = `${count(group.count)} of ${visible(group.type)}`;
  return html`<tr data-row tabindex="-1">
    ${showRelay && html`<td class="name" data-label="Relay"><a href=${address(['relays', group.store, group.relay])}><${Text} value=${group.relay} cut=${40} /></a></td>`}
    <td data-label="State"><${EventState} state=${group.state} /></td>
    <td class="wide" data-label="Type"><a href=${groupAddress(group)}><b><${Text} value=${group.type} cut=${60} /></b></a><div class="error"><${Text} value=${group.error} cut=${240} /></div></td>
    <td data-label="Events" class="number"><b>${counted(group.count, { more: !group.exact })}</b></td>
    <td data-label="Keys held" class="number">${count(group.holdsKeys)}</td>
    <td data-label="1 h" class="number">${count(group.lastHour)}</td><td data-label="24 h" class="number">${count(group.lastDay)}</td><td data-label="7 d" class="number">${count(group.lastWeek)}</td>
    <td data-label="Last">${group.lastFailedAt ? html`<${Ago} at=${group.lastFailedAt} />` : '–'}</td>
    <td class="do">${group.state !== 'waiting' && html`<${Action} denied=${denied()} onClick=${() => onAct({ action: 'requeue', group })}>Requeue<span class="unseen"> ${label}</span>…<//>`}
      ${!denied() && html` <${Action} danger onClick=${() => onAct({ action: 'discard', group })}>Discard<span class="unseen"> ${label}</span>…<//>`}</td></tr>`;
}
