// Small parts of pages: states, times, ids, failures, dialogs.

import { html, useEffect, useRef, useState } from './vendor/preact/standalone.module.js';
import { secondsSince, serverNow } from './live.js';
import { useSlow, useTick } from './hooks.js';
import { absolute, age, cutEnd, cutMiddle, millis, spoken, visible } from './text.js';

const SHAPES = { fine: '●', pending: '○', parked: '▲', dead: '■', paused: '◆' };

/** Shape, word and colour of a state. */
export function Mark({ tone, children }) {
  return html`<span class="mark ${tone}"><span class="shape" aria-hidden="true">${SHAPES[tone]}</span> ${children}</span>`;
}

const EVENT_TONES = {
  pending: 'pending', published: 'fine', parked: 'parked', due: 'parked', waiting: 'parked', dead: 'dead', discarded: 'pending',
};

export function EventState({ state }) {
  return html`<span class="state"><${Mark} tone=${EVENT_TONES[state] ?? 'pending'}>${visible(state)}<//></span>`;
}

/** Text from an event, isolated from the direction of the text around it. */
export function Text({ value, cut = 200, kind }) {
  const whole = visible(String(value ?? '').slice(0, 4000));
  const shown = cutEnd(value, cut);
  return html`<bdi class=${kind ?? ''} title=${shown === whole ? undefined : whole}>${shown}</bdi>`;
}

/** A time as an age that ticks; the absolute time is its title and what is copied. */
export function Ago({ at }) {
  useTick();
  const then = millis(at);
  if (then === undefined) {
    return html`<span>–</span>`;
  }
  const seconds = (serverNow() - then) / 1000;
  const words = seconds >= 0 ? age(Math.max(1, Math.floor(seconds))).replace('.0s', 's') + ' ago' : 'in ' + age(-seconds);
  return html`<time class="ago" tabindex="0" datetime=${at} title=${absolute(at)} onCopy=${(e) => copyInstead(e, absolute(at))}>${words}</time>`;
}

function copyInstead(event, text) {
  event.preventDefault();
  event.clipboardData.setData('text/plain', text);
}

/** A button that copies a text; says so on itself. */
export function Copy({ text, label = 'Copy' }) {
  const [done, setDone] = useState('');
  const copy = () => navigator.clipboard?.writeText(String(text)).then(() => setDone('Copied'), () => setDone('Not allowed')) ?? setDone('Not allowed');
  useEffect(() => {
    const timer = done && setTimeout(() => setDone(''), 2000);
    return () => clearTimeout(timer);
  }, [done]);
  return html`<button type="button" class="small quiet" onClick=${copy} aria-label=${label + ' to the clipboard'}>${done || 'Copy'}</button>`;
}

/** An id cut in the middle, with a button to copy all of it. */
export function Id({ value, href, length = 16 }) {
  const short = html`<code title=${visible(value)}>${cutMiddle(value, length)}</code>`;
  return html`<span class="id">${href ? html`<a href=${href}>${short}</a>` : short}</span>`;
}

/** A command to paste in a terminal. */
export function Command({ text }) {
  return html`<span class="command"><code tabindex="0">${visible(text)}</code> <${Copy} text=${text} label="Copy the command" /></span>`;
}

/** A failure of a call: cause, remedy, and a button to try again. What was on the page stays. */
export function Failed({ failure, again, what = '' }) {
  if (!failure || failure.name === 'AbortError') {
    return null;
  }
  return html`<div class="failure" role="alert"><${Mark} tone="dead">${what && what + ': '}${visible(failure.message)}<//>
    ${again && html` <button type="button" class="small" onClick=${again}>Try again</button>`}</div>`;
}

/** The state of a load: nothing for 300 ms, then a skeleton; failures beside what is there. */
export function Loading({ loaded, what }) {
  const slow = useSlow(Boolean(loaded.loading && loaded.value === undefined && !loaded.failure));
  return html`<${Failed} failure=${loaded.failure} again=${loaded.again} what=${what} />
    ${slow && html`<div class="skeleton" role="status"><span class="unseen">Loading</span><i></i><i></i><i></i></div>`}`;
}

/** Parts of an answer that are not known because a store or a destination cannot be read. */
export function Unavailable({ list = [] }) {
  return list.map((each) => html`<div class="failure" role="alert"><${Mark} tone="dead">Not known${each.since && ' for ' + spoken(secondsSince(each.since))}:
    ${' '}${each.store ? 'store' : 'destination'} ${visible(each.store ?? each.destination)} cannot be read. ${visible(each.error)}<//></div>`);
}

/** The sentence for an empty list. Where something cannot be read, nobody knows whether there is nothing. */
export function Nothing({ unavailable = [], children }) {
  return html`<p class="empty">${unavailable.length > 0 ? 'None known, because not everything can be read.' : children}</p>`;
}

/** A modal dialog. Escape closes it; the focus returns to where it was. */
export function Dialog({ title, onClose, children, wide }) {
  const element = useRef();
  useEffect(() => {
    const before = document.activeElement;
    const dialog = element.current;
    dialog.showModal();
    return () => {
      // While it is open, everything else is inert and cannot take the focus.
      dialog.close();
      if (before?.isConnected) {
        before.focus();
      }
    };
  }, []);
  return html`<dialog ref=${element} class=${wide ? 'wide' : ''} aria-labelledby="dialog-title" onCancel=${(e) => { e.preventDefault(); onClose(); }}>
    <h2 id="dialog-title">${title}</h2>${children}</dialog>`;
}

/** A button that stays when it is not allowed, and says why. */
export function Action({ denied, onClick, children, danger }) {
  if (denied) {
    return html`<span class="denied"><button type="button" aria-disabled="true" title=${denied}>${children}</button><span class="why">${denied}</span></span>`;
  }
  return html`<button type="button" class=${danger ? 'danger' : ''} onClick=${onClick}>${children}</button>`;
}
