// One stream of live values per browser. Tabs elect a leader with a Web Lock; the leader reads the stream and passes every event
// to the others through a BroadcastChannel. A tab that is hidden for 30 s takes no part. Where Web Locks are missing
// (plain HTTP to another machine) every tab reads a stream of its own.

import { get } from './api.js';
import { millis } from './text.js';

const HIDDEN_MS = 30_000;
const SILENT_MS = 10_000;
const LONGEST_WAIT_MS = 30_000;
const RING = 900;

/** What the pages read. `receivedAt` is on the clock of performance.now(). */
export const live = { status: 'connecting', overview: undefined, receivedAt: 0, retryAt: 0, frozen: false, clockOffset: 0 };

const listeners = { change: new Set(), operation: new Set(), checks: new Set() };
const channel = new BroadcastChannel('waybill-live');
const rings = new Map();
let participation;
let waiting = {};

export function subscribe(topic, listener) {
  listeners[topic].add(listener);
  return () => listeners[topic].delete(listener);
}

function tell(topic, value) {
  listeners[topic].forEach((listener) => listener(value));
}

/** The current time according to the server, in milliseconds. */
export function serverNow() {
  return Date.now() + live.clockOffset;
}

/** Seconds since a time of the server; undefined without one. */
export function secondsSince(time) {
  const at = millis(time);
  return at === undefined ? undefined : Math.max(0, (serverNow() - at) / 1000);
}

/** The newest samples of a relay: backlog, oldest age and events published per second, once a second. */
export function ringOf(relay) {
  const key = relay.store + '\n' + relay.relay;
  if (!rings.has(key)) {
    rings.set(key, { points: [], filled: false });
  }
  return rings.get(key);
}

/** Puts history from the server before what the stream brought. */
export function fillRing(ring, points) {
  const first = ring.points[0]?.at ?? Infinity;
  const before = points.map((point) => ({ at: millis(point.at), backlog: Number(point.backlog), oldest: Number(point.oldest ?? 0), rate: Number(point.published) }))
    .filter((point) => point.at < first);
  ring.points = [...before, ...ring.points].slice(-RING);
  ring.filled = true;
}

function receive(kind, data) {
  if (kind === 'overview') {
    live.clockOffset = (millis(data.at) ?? Date.now()) - Date.now();
    data.stores.forEach(sample);
    live.status = 'live';
    waiting = { latest: data, at: performance.now() };
    if (!live.frozen) {
      show();
    }
  } else if (kind === 'operation' || kind === 'checks') {
    tell(kind, data);
  }
}

function show() {
  live.overview = waiting.latest;
  live.receivedAt = waiting.at;
  tell('change');
}

function sample(store) {
  if (!store.reachable) {
    return;
  }
  const at = millis(store.sampledAt);
  for (const relay of store.relays) {
    const points = ringOf({ store: store.store, relay: relay.relay }).points;
    if (points.at(-1)?.at !== at) {
      points.push({ at, backlog: Number(relay.backlog), oldest: Number(relay.oldestSeconds ?? 0), rate: Number(relay.publishedPerSecond) });
      points.splice(0, points.length - RING);
    }
  }
}

/** Keeps what is on the screen until it is called again. */
export function freeze() {
  live.frozen = !live.frozen;
  if (!live.frozen && waiting.latest) {
    show();
  }
  tell('change');
}

channel.onmessage = ({ data }) => {
  if (data.kind === 'hello') {
    if (participation?.leads && waiting.latest) {
      channel.postMessage({ kind: 'overview', data: waiting.latest });
    }
  } else if (participation) {
    receive(data.kind, data.data);
  }
};

/** Starts to take part, until stop() is called. */
export function start() {
  if (participation) {
    return;
  }
  const own = { leads: false, ended: new AbortController() };
  participation = own;
  channel.postMessage({ kind: 'hello' });
  const lead = () => readUntilEnded(own);
  const elected = navigator.locks
    ? navigator.locks.request('waybill-live', { signal: own.ended.signal }, lead)
    : lead();
  Promise.resolve(elected).catch(() => {});
}

export function stop() {
  participation?.ended.abort();
  participation = undefined;
}

async function readUntilEnded(own) {
  own.leads = true;
  let wait = 1000;
  while (!own.ended.signal.aborted) {
    const lasted = await readOnce(own);
    wait = lasted ? 1000 : Math.min(wait * 2, LONGEST_WAIT_MS);
    if (!own.ended.signal.aborted) {
      const pause = wait * (0.75 + Math.random() / 2);
      live.status = 'away';
      live.retryAt = performance.now() + pause;
      tell('change');
      await sleep(pause, own.ended.signal);
    }
  }
}

// True if the stream brought at least one event.
async function readOnce(own) {
  try {
    // Also tells whether the session has ended, which an EventSource does not.
    deliver('overview', await get('overview', {}, own.ended.signal));
  } catch {
    return false;
  }
  return new Promise((resolve) => {
    const source = new EventSource('/api/live');
    let brought = false;
    let silence;
    const end = () => {
      clearTimeout(silence);
      source.close();
      resolve(brought);
    };
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(end, SILENT_MS);
    };
    for (const kind of ['overview', 'operation', 'checks']) {
      source.addEventListener(kind, (event) => {
        brought = true;
        heard();
        deliver(kind, JSON.parse(event.data));
      });
    }
    source.addEventListener('bye', end);
    source.onerror = end;
    own.ended.signal.addEventListener('abort', end);
    heard();
  });
}

function deliver(kind, data) {
  receive(kind, data);
  channel.postMessage({ kind, data });
}

function sleep(ms, signal) {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
    signal.addEventListener('abort', resolve);
  });
}

let hiding;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiding);
  if (document.hidden) {
    hiding = setTimeout(stop, HIDDEN_MS);
  } else if (live.wanted) {
    start();
  }
});
