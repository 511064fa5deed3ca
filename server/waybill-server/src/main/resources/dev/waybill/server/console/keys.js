// Keys of the whole console. They are off in inputs and while a dialog is open.

import { freeze } from './live.js';
import { listKey } from './list.js';
import { address, go } from './router.js';

export const PLACES = [
  ['o', 'Overview', []],
  ['f', 'Failures', ['failures']],
  ['e', 'Events', ['events']],
  ['d', 'Dead letters', ['dead-letters']],
  ['r', 'Replays', ['replays']],
  ['p', 'Operations', ['operations']],
  ['c', 'Checks', ['checks']],
  ['a', 'Audit', ['audit']],
];

export const OTHERS = [
  ['/', 'search'],
  ['j, k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['x', 'select the row'],
  ['p', 'freeze what is shown, go on'],
  ['t', 'light or dark'],
  ['?', 'this help'],
  ['Esc', 'close a dialog; leave an input'],
];

const WAIT_MILLIS = 3000;

/** The timer of a g that waits for its letter. */
let pending;

function forget() {
  clearTimeout(pending);
  pending = undefined;
}

export function listen({ help, scheme }) {
  addEventListener('keydown', (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
      return;
    }
    if (target.matches?.('input:not([type=checkbox]), select, textarea')) {
      if (event.key === 'Escape') {
        target.blur();
      }
      return;
    }
    if (pressed(event.key, help, scheme)) {
      event.preventDefault();
    }
  });
}

function pressed(key, help, scheme) {
  if (pending) {
    forget();
    const place = PLACES.find(([letter]) => letter === key);
    if (place) {
      go(address(place[2]));
    }
    return Boolean(place);
  }
  switch (key) {
    case 'g':
      pending = setTimeout(forget, WAIT_MILLIS);
      return true;
    case '/':
      document.getElementById('search')?.focus();
      return true;
    case 'p':
      freeze();
      return true;
    case 't':
      scheme();
      return true;
    case '?':
      help();
      return true;
    default:
      return listKey(key);
  }
}
