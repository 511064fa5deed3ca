// The flow of every change: a preview by the server, a reason, a button with the number. Cancel has the focus.

import { html, useEffect, useState } from './vendor/preact/standalone.module.js';
import { post } from './api.js';
import { Command, Dialog, Failed, Text } from './parts.js';
import { address, go } from './router.js';
import { count, counted, visible } from './text.js';

const VERBS = { requeue: 'Requeue', discard: 'Discard', 'send-back': 'Send back', replay: 'Replay' };

const MEANS = {
  requeue: 'They are tried again at once, with new attempts. A dead event that did not hold its key may arrive late: consumers may already have seen later events of its key.',
  discard: 'They are not published by this relay any more; one whose retry is in flight now may still be. The next event of the same key goes on. This cannot be undone.',
  'send-back': 'They are sent again to where they came from, and then removed from the dead letters.',
  replay: 'They are published again, with the same ids, beside the relay; so are events that match and are appended before it starts.',
};

/** A change of many: `previewPath` and `request` of the API; it ends on the page of the operation. */
export function BulkDialog({ action, previewPath, request, onClose, onStarted = () => {} }) {
  const [preview, setPreview] = useState();
  const [failure, setFailure] = useState();
  const [reason, setReason] = useState('');
  const [speed, setSpeed] = useState(500);
  const [confirm, setConfirm] = useState('');
  const [busy, setBusy] = useState(false);
  const look = () => {
    setFailure(undefined);
    setPreview(undefined);
    post(previewPath, request).then(setPreview, setFailure);
  };
  useEffect(look, []);
  const verb = VERBS[action];
  const ready = preview && !busy && (!preview.reasonRequired || reason.trim() !== '') && (!preview.confirm || confirm === preview.confirm);
  const start = (event) => {
    event.preventDefault();
    if (!ready) {
      return;
    }
    setBusy(true);
    setFailure(undefined);
    post('actions/start', { token: preview.token, reason: reason.trim() || undefined, rate: Number(speed), confirm: preview.confirm && confirm })
      .then((operation) => {
        onStarted();
        onClose();
        go(address(['operations', operation.id]));
      }, (error) => {
        setBusy(false);
        setFailure(error);
      });
  };
  const expired = failure?.code === 'expired';
  return html`<${Dialog} title=${verb} onClose=${onClose} wide><form onSubmit=${start}>
    <${Failed} failure=${failure} again=${expired || !preview ? look : undefined} />
    ${!preview && !failure && html`<p role="status">Counting…</p>`}
    ${preview && html`<${Preview} preview=${preview} action=${action} />
      <${Field} label=${preview.reasonRequired ? 'Reason (required, kept in the audit)' : 'Reason (kept in the audit)'} value=${reason} onInput=${setReason} required=${preview.reasonRequired} />
      <${Field} label="At most per second" type="number" min="1" max="10000" value=${speed} onInput=${setSpeed} />
      ${preview.confirm && html`<${Field} label=${'Type ' + visible(preview.confirm) + ' to confirm'} value=${confirm} onInput=${setConfirm} />`}`}
    <${Buttons} onClose=${onClose} label=${preview ? verb + ' ' + number(preview, action) : verb} disabled=${!ready} danger=${action === 'discard'} /></form><//>`;
}

// A replay includes what matches when it starts, however far the preview has counted.
const uncounted = (preview, action) => action === 'replay' && !preview.exact;

function number(preview, action) {
  return uncounted(preview, action) ? 'all that match' : count(preview.count);
}

function Preview({ preview, action }) {
  return html`<p class="lead"><b>${uncounted(preview, action) ? count(preview.count) + ' or more' : counted(preview.count, { more: !preview.exact })}</b> ${preview.words && html`<${Text} value=${preview.words} cut=${400} />`}</p>
    <p>${MEANS[action]}</p>
    ${uncounted(preview, action) && html`<p>Counting stopped there, since there are very many events to look at. The replay sends <b>all that match</b>.</p>`}
    ${!preview.exact && !uncounted(preview, action) && html`<p>There are more than can be done at once. Do it again for the rest.</p>`}
    ${Number(preview.late) > 0 && html`<p><b>${count(preview.late)}</b> of them did not hold their keys: one whose key has later events that are published already arrives late.</p>`}
    ${Number(preview.waiting) > 0 && html`<p>Waiting behind an earlier event of their key: <b>${count(preview.waiting)}</b>, not included. They go on by themselves when it is published or discarded.</p>`}
    ${preview.name && html`<p>Name of the replay: <code>${visible(preview.name)}</code></p>`}
    ${(preview.samples ?? []).length > 0 && html`<details open><summary>${preview.samples.length} of them</summary><ul class="samples">
      ${preview.samples.map((row) => html`<li><code>${visible(row.id ?? row.eventId ?? row.place)}</code> <${Text} value=${row.type ?? row.consumer} cut=${60} /> <span class="muted"><${Text} value=${row.error} cut=${120} /></span></li>`)}</ul></details>`}
    ${preview.command && html`<p class="muted">The same in a terminal${preview.reasonRequired ? ', with your reason for TEXT' : ''}: <${Command} text=${preview.command} /></p>`}`;
}

/** A change of one thing, such as pausing a relay: `run` is called with the reason. */
export function ConfirmDialog({ title, means, label, run, onClose, reasonRequired = true, typed, danger }) {
  const [reason, setReason] = useState('');
  const [confirm, setConfirm] = useState('');
  const [failure, setFailure] = useState();
  const [busy, setBusy] = useState(false);
  const ready = !busy && (!reasonRequired || reason.trim() !== '') && (!typed || confirm === typed);
  const start = (event) => {
    event.preventDefault();
    if (!ready) {
      return;
    }
    setBusy(true);
    run(reason.trim() || undefined, confirm).then(onClose, (error) => {
      setBusy(false);
      setFailure(error);
    });
  };
  return html`<${Dialog} title=${title} onClose=${onClose}><form onSubmit=${start}>
    <${Failed} failure=${failure} /><p>${means}</p>
    <${Field} label=${reasonRequired ? 'Reason (required, kept in the audit)' : 'Reason (kept in the audit)'} value=${reason} onInput=${setReason} required=${reasonRequired} />
    ${typed && html`<${Field} label=${'Type ' + visible(typed) + ' to confirm'} value=${confirm} onInput=${setConfirm} />`}
    <${Buttons} onClose=${onClose} label=${label} disabled=${!ready} danger=${danger} /></form><//>`;
}

export function Field({ label, value, onInput, type = 'text', ...rest }) {
  return html`<label class="field"><span>${label}</span><input type=${type} value=${value} autocomplete="off" onInput=${(e) => onInput(e.target.value)} ...${rest} /></label>`;
}

function Buttons({ onClose, label, disabled, danger }) {
  return html`<div class="buttons"><button type="button" autofocus onClick=${onClose}>Cancel</button>
    <button type="submit" class=${danger ? 'danger' : 'primary'} disabled=${disabled}>${label}</button></div>`;
}
