// What the overview makes of the samples: a severity, a state in words and the problems with what to do. An alarm needs two
// samples in a row; paused relays and estimates raise none.

import { address } from './router.js';
import { live, ringOf, secondsSince } from './live.js';
import { counted, spoken, visible } from './text.js';

const STUCK_SECONDS = 60;
const UNATTENDED_SECONDS = 30;
const PARKED_SECONDS = 3600;
const PARKED_QUIET_SECONDS = 300;
const TREND_MS = 60_000;
const KNOWN_MS = 10_000;
const MOST_SLACK_MS = 5_000;

/** 0 is the worst. */
export const RANK = { dead: 0, parked: 1, paused: 2, pending: 3, fine: 4 };

const seen = new Map();

/** Relays with their store, tone, words and problems. Call it once for each sample. */
export function judge(overview) {
  return overview.stores.flatMap((store) => store.relays.map((relay) => judged(store, relay)));
}

function judged(store, relay) {
  const key = relay.store + '\n' + relay.relay;
  const before = seen.get(key);
  const now = verdict(store, relay, before?.failing);
  if (before?.at === live.receivedAt) {
    return { ...relay, storeState: store, ...before.shown };
  }
  const alarm = now.tone === 'dead' && before?.tone !== 'dead';
  const shown = alarm ? { ...now, tone: 'pending', why: undefined } : now;
  seen.set(key, { tone: now.tone, at: live.receivedAt, shown, failing: now.kind === 'failing' ? now : undefined });
  return { ...relay, storeState: store, ...shown };
}

function verdict(store, relay, failing) {
  const told = { ...relay, ...ofRunner(relay) };
  const shown = triesAgain(store, told, failing) ?? judgement(store, told);
  return { ...shown, problem: told.failingSeconds === undefined && told.phase !== 'backing off' ? undefined : told.problem };
}

/** A relay that fails at each attempt runs during the attempts: it is as bad then as between them. */
function triesAgain(store, relay, failing) {
  const same = failing && store.reachable && relay.state === 'running' && relay.phase === 'running' && relay.failingSeconds > failing.since;
  return same ? { ...failing, since: relay.failingSeconds } : undefined;
}

/** What the process that runs the relay says of it; if none runs it, one that fails with it. */
function ofRunner(relay) {
  if (runsHere(relay)) {
    return {};
  }
  const elsewhere = (relay.processes ?? []).filter((each) => !each.here);
  const { phase, problem, failingSeconds } = elsewhere.find((each) => each.runs)
    ?? (relay.failingSeconds === undefined ? elsewhere.find((each) => each.failingSeconds !== undefined) : undefined) ?? relay;
  return { phase, problem, failingSeconds };
}

function judgement(store, relay) {
  const stuck = relay.oldestSeconds >= STUCK_SECONDS;
  if (!store.reachable) {
    return { tone: 'pending', words: 'unknown', why: undefined };
  }
  if (relay.state === 'paused') {
    return { tone: 'paused', words: 'paused' };
  }
  if (relay.phase === 'backing off') {
    return { tone: 'dead', words: 'backing off', why: relay.problem, since: relay.failingSeconds ?? relay.oldestSeconds, kind: 'unavailable' };
  }
  if (relay.state === 'not running' && relay.failingSeconds !== undefined) {
    return { tone: 'dead', words: 'failing', why: relay.problem, since: relay.failingSeconds, kind: 'failing' };
  }
  if (relay.state === 'not running' || relay.state === 'abandoned') {
    const long = relay.unattendedSeconds >= UNATTENDED_SECONDS;
    return { tone: long ? 'dead' : 'pending', words: relay.state, why: 'no process runs it', since: relay.unattendedSeconds, kind: 'unattended' };
  }
  if (relay.state === 'never ran' && relay.failingSeconds !== undefined) {
    return { tone: 'dead', words: 'cannot start', why: relay.problem, since: relay.failingSeconds, kind: 'refused' };
  }
  if (relay.state === 'never ran' || relay.state === 'unknown') {
    return { tone: 'pending', words: relay.state, why: relay.problem };
  }
  if (stuck && !publishes(relay)) {
    return { tone: 'dead', words: 'stuck', why: 'publishes nothing', since: relay.oldestSeconds, kind: 'stuck' };
  }
  if (some(relay.dead)) {
    return { tone: 'parked', words: 'running, dead events', kind: 'dead' };
  }
  if (some(relay.parked) && relay.oldestParkedSeconds >= (publishes(relay) ? PARKED_SECONDS : PARKED_QUIET_SECONDS)) {
    return { tone: 'parked', words: 'running, parked events', kind: 'parked' };
  }
  return stuck ? { tone: 'parked', words: 'running, behind', kind: 'behind', since: relay.oldestSeconds } : { tone: 'fine', words: visible(relay.state) };
}

/**
 * Whether it has published something within a minute. Where the rate is not known, as of a table that another process relays, the
 * oldest event tells: one that is not published becomes older as time passes.
 */
function publishes(relay) {
  const points = ringOf(relay).points;
  const last = points.at(-1);
  const recent = points.filter((point) => point.at >= last.at - TREND_MS);
  if (relay.publishedPerSecond > 0 || recent.some((point) => point.rate > 0)) {
    return true;
  }
  const passed = recent.length > 0 ? last.at - recent[0].at : 0;
  return relay.publishedPerSecond === undefined && (passed < KNOWN_MS || passed / 1000 - (last.oldest - recent[0].oldest) > slack(recent));
}

/** How many seconds a reading may be late, as the widest gap between two of them tells. */
function slack(points) {
  const gaps = points.slice(1).map((point, index) => point.at - points[index].at);
  return Math.min(Math.max(1000, ...gaps), MOST_SLACK_MS) / 1000;
}

/** Processes that would take the relay over. */
export function standbys(relay) {
  return (relay.processes ?? []).filter((each) => !each.runs && each.phase === 'standing by' && each.failingSeconds === undefined);
}

/** Whether this process publishes for the relay, and does not stand by. */
export function runsHere(relay) {
  return Boolean(relay.here && (relay.phase === 'running' || relay.phase === 'backing off'));
}

/** Whether a count is known and not zero. */
export function some(value) {
  return value !== undefined && value !== '0';
}

/** ↑ if the oldest event is older than a minute ago, ↓ if it is younger; only where something waits. */
export function trend(relay) {
  const points = ringOf(relay).points;
  const last = points.at(-1);
  if (!last || !(relay.oldestSeconds >= 5)) {
    return '';
  }
  const earlier = points.findLast((point) => point.at <= last.at - TREND_MS) ?? points[0];
  const change = last.oldest - earlier.oldest;
  return change > 3 ? '↑' : change < -3 ? '↓' : '';
}

/** The problems to show above the table, worst first. */
export function problems(overview, relays) {
  const stores = overview.stores.filter((store) => !store.reachable && storeAway(store)).map((store) => ({
    tone: 'dead',
    what: `store ${visible(store.store)} cannot be read for`,
    since: secondsSince(store.unavailableSince),
    why: visible(store.error),
    todo: 'Check the database, its address and its login. After a new password restart this process, unless the password of a JDBC store comes from a file. '
      + 'Relays go on when the store answers; ' + (store.sampledAt ? 'values below are the last known ones.' : 'nothing is known of it so far.'),
    href: address(['checks']),
    press: 'Checks',
  }));
  return [...stores, ...relays.filter((relay) => relay.tone === 'dead').map(ofRelay).sort((a, b) => a.unattended - b.unattended || (b.since ?? 0) - (a.since ?? 0))];
}

const unreachable = new Map();
function storeAway(store) {
  const first = unreachable.get(store.store);
  if (first === undefined) {
    unreachable.set(store.store, live.receivedAt);
  }
  return first !== undefined && first !== live.receivedAt;
}

/** The names of stores of which nothing is known now. */
export function unknownStores(overview) {
  return overview.stores.filter((store) => !store.reachable).map((store) => visible(store.store));
}

/** Forgets stores that answer again. */
export function forgetReachable(overview) {
  overview.stores.filter((store) => store.reachable).forEach((store) => unreachable.delete(store.store));
}

const REMEDIES = {
  unavailable: 'Nothing is lost: events wait and go out in order. Check the broker; the relay tries again by itself. A password that was changed needs a restart of this process.',
  unattended: 'Start a process that runs this relay, or drop the relay if it is no longer needed.',
  failing: 'Nothing is lost: events wait. If it waits for a lock, end the transaction that holds it; the relay tries again by itself.',
  refused: 'Events stay in the outbox. It tries again by itself, and starts when the reason is gone.',
  stuck: 'The process that runs it may wait for its broker, or for locks and long transactions in the database: the checks try both.',
};

function ofRelay(relay) {
  return {
    tone: 'dead',
    name: relay.relay,
    unattended: Number(relay.kind === 'unattended'),
    store: relay.store,
    what: { unattended: 'not running', refused: 'cannot start' }[relay.kind] ?? 'stuck',
    since: relay.since,
    why: visible(relay.why),
    trend: trend(relay),
    todo: REMEDIES[relay.kind],
    href: address(relay.kind === 'stuck' ? ['checks'] : ['relays', relay.store, relay.relay]),
    press: relay.kind === 'stuck' ? 'Checks' : 'Open the relay',
  };
}

/** One line: "37 dead, 1 paused, 5 fine". */
export function totals(relays) {
  const known = relays.filter((relay) => relay.words !== 'unknown');
  const dead = known.reduce((sum, relay) => sum + BigInt(relay.dead ?? 0), 0n);
  const parked = known.reduce((sum, relay) => sum + BigInt(relay.parked ?? 0), 0n);
  return {
    dead, parked, deadMore: known.some((relay) => relay.deadMore), parkedMore: known.some((relay) => relay.parkedMore),
    unknown: relays.length - known.length,
    paused: relays.filter((relay) => relay.tone === 'paused').length,
    fine: relays.filter((relay) => relay.tone === 'fine').length,
  };
}

/** "1 event waits", "~41,200 events wait". */
function events(value, how, one, many) {
  return counted(value, how) + (String(value) === '1' ? ' event ' + one : ' events ' + many);
}

/** The state of a relay in one sentence, for its page. */
export function sentence(relay) {
  const waiting = events(relay.backlog, { estimate: !relay.backlogExact }, 'waits', 'wait');
  const since = relay.since === undefined ? '' : ' for ' + spoken(relay.since);
  if (relay.tone === 'paused') {
    return `Paused. ${waiting}, to go out in order after it is resumed.`;
  }
  if (relay.kind === 'unavailable') {
    return `Backing off${since}: the destination is unavailable. ${waiting}. It tries again by itself.`;
  }
  if (relay.kind === 'failing') {
    return `Failing${since}: ${visible(relay.why)}. ${waiting}. It tries again by itself.`;
  }
  if (relay.kind === 'refused') {
    return `Cannot start${since}, for the reason below. It tries again by itself.`;
  }
  if (relay.kind === 'unattended') {
    return `No process has run it${since}. ${waiting}.`;
  }
  if (relay.kind === 'stuck') {
    return `Runs but publishes nothing; the oldest event has waited ${spoken(relay.oldestSeconds)}.`;
  }
  if (relay.words === 'unknown') {
    return 'Not known: its store cannot be read.' + (relay.backlog === undefined ? '' : ' The values are the last known ones.');
  }
  if (relay.words === 'never ran') {
    return 'It has never run. It starts with the first process that can reach its store.';
  }
  const dead = !some(relay.dead) ? '' : ` ${events(relay.dead, { more: relay.deadMore }, 'is dead and waits', 'are dead and wait')} for a decision.`;
  const parked = relay.kind !== 'parked' ? '' : ` ${events(relay.parked, { more: relay.parkedMore }, 'is parked', 'are parked')}, the oldest of them ${spoken(relay.oldestParkedSeconds)} old: see their errors.`;
  return `${relay.state === 'running' ? 'Running' : visible(relay.state)}. ${waiting}.${dead}${parked}`;
}
