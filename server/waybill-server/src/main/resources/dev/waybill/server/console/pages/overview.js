// Is anything stuck, where, since when, why, does it get worse, what to press.

import { html, useEffect, useReducer } from '../vendor/preact/standalone.module.js';
import { get } from '../api.js';
import { announce, useLive, useLoaded, useTick } from '../hooks.js';
import { fillRing, live, ringOf, subscribe } from '../live.js';
import { forgetReachable, judge, problems, RANK, runsHere, some, standbys, totals, trend, unknownStores } from '../judge.js';
import { Table, useOrder } from '../list.js';
import { Ago, Mark, Text } from '../parts.js';
import { address } from '../router.js';
import { Spark } from '../spark.js';
import { age, count, counted, cutEnd, cutMiddle, plural, rate, spoken, visible } from '../text.js';

const STALE_SECONDS = 5;
const MOST_HISTORIES = 50;
// What to do is at the end of an error: a long reason in the middle is cut.
const MOST_WHY = 400;

export function Overview() {
  const { overview } = useLive();
  useTick();
  const checks = useLoaded((signal) => get('checks', {}, signal), []);
  useEffect(() => subscribe('checks', checks.again), []);
  const letters = useLoaded((signal) => get('dead-letters', {}, signal), [], 60_000);
  const groups = useLoaded((signal) => get('failures', {}, signal), [], 30_000);
  const audit = useLoaded((signal) => get('audit', { limit: 20 }, signal), [], 10_000);
  const recent = audit.value?.entries ?? [];
  if (!overview) {
    return html`<h1 class="unseen">Overview</h1><p role="status">Waiting for the first sample…</p>`;
  }
  forgetReachable(overview);
  const relays = judge(overview);
  const found = problems(overview, relays);
  const unknown = unknownStores(overview);
  const silent = (performance.now() - live.receivedAt) / 1000;
  const known = live.frozen || silent <= STALE_SECONDS;
  announce(!known ? 'state not known: no answer from the process' : found.length === 0 ? (unknown.length === 0 ? 'no problems' : 'stores not known: ' + unknown.join(', ')) : plural(found.length, 'problem'));
  return html`<h1 class="unseen">Overview</h1>
    <${Problems} silent=${known ? undefined : silent} found=${found} unknown=${unknown} relays=${relays} findings=${checks.value?.findings ?? []} groups=${groups.value?.smaller === '0' ? groups.value.groups : undefined} />
    <${Relays} relays=${relays} stores=${overview.stores} recent=${recent} />
    <div class="columns">
      <section><h2>Consumers</h2><${Letters} loaded=${letters} /></section>
      <section><h2>Processes</h2><${Processes} relays=${relays} unknown=${unknown} /></section>
      <section class="grow"><h2>Recent</h2><${Recent} loaded=${audit} entries=${recent} /></section>
    </div>`;
}

function Problems({ silent, found, unknown, relays, findings, groups }) {
  const sums = totals(relays);
  const severe = findings.filter((finding) => finding.severity === 'problem');
  const kinds = groups?.filter((group) => group.state === 'dead').length;
  return html`<section class="problems" aria-label="Problems">
    ${silent !== undefined && html`<p class="headline trouble"><${Mark} tone="dead"><b>Not known now: no answer from the process for ${spoken(silent)}.</b> What follows is ${age(silent)} old.<//></p>`}
    ${found.length === 0
      ? silent === undefined && html`<${Headline} relays=${relays} unknown=${unknown} />`
      : html`<p class="headline trouble"><${Mark} tone="dead"><b>${plural(found.length, 'PROBLEM', 'PROBLEMS')}</b><//></p>`}
    ${found.slice(0, 5).map((problem) => html`<${Problem} problem=${problem} />`)}
    ${found.length > 5 && html`<p class="card">and ${found.length - 5} more, in the table below</p>`}
    <p class="totals">
      ${sums.dead > 0n && html`<a href=${address(['failures'])}><${Mark} tone="dead">${counted(sums.dead, { more: sums.deadMore })} dead${kinds > 0 ? ' in ' + plural(kinds, 'group') : ''}<//></a>`}
      ${sums.parked > 0n && html`<a href=${address(['failures'])}><${Mark} tone="parked">${counted(sums.parked, { more: sums.parkedMore })} parked<//></a>`}
      ${sums.unknown > 0 && html`<${Mark} tone="pending">${sums.unknown} unknown<//>`}
      ${sums.paused > 0 && html`<${Mark} tone="paused">${sums.paused} paused<//>`}
      ${sums.fine > 0 && html`<${Mark} tone="fine">${sums.fine} fine<//>`}
      ${severe.length > 0 && html`<a href=${address(['checks'])}><${Mark} tone="parked">${plural(severe.length, 'problem')} found by checks<//></a>`}
    </p></section>`;
}

/** The first line while no problem was found. */
function Headline({ relays, unknown }) {
  if (unknown.length > 0) {
    return html`<p class="headline"><${Mark} tone="pending"><b>Not known yet of ${plural(unknown.length, 'store')}: ${unknown.join(', ')}.</b><//></p>`;
  }
  return html`<p class="headline fine-headline"><${Mark} tone="fine"><b>${relays.length === 0 ? 'There is no relay yet.' : 'No relay is stuck.'}</b><//></p>`;
}

function Problem({ problem }) {
  return html`<div class="card trouble"><div>
    <b>${problem.name && html`<${Text} value=${problem.name} cut=${60} /> `}${problem.what}${problem.since !== undefined ? ' ' + spoken(problem.since) : ''}</b>:
    ${' '}${cutMiddle(problem.why, MOST_WHY)} ${problem.trend === '↑' && html`<b class="worse">↑ getting worse</b>`}${problem.trend === '↓' && html`<b>↓ recovering</b>`}
    <div class="todo">${problem.todo}</div></div>
    <a class="button" href=${problem.href}>${problem.press}</a></div>`;
}

function Relays({ relays, stores, recent }) {
  const [, drawAgain] = useReducer((n) => n + 1, 0);
  const order = useOrder(relays, (relay) => relay.store + '\n' + relay.relay,
    (a, b) => RANK[a.tone] - RANK[b.tone] || Number(a.kind === 'unattended') - Number(b.kind === 'unattended') || (b.oldestSeconds ?? 0) - (a.oldestSeconds ?? 0) * (a.tone === 'fine' ? 0 : 1) || a.relay.localeCompare(b.relay));
  useEffect(() => {
    loadHistories(relays.slice(0, MOST_HISTORIES)).then(drawAgain);
  }, [relays.length]);
  if (relays.length === 0) {
    const unknown = unknownStores({ stores });
    return html`<section><h2>Relays</h2><p class="empty">${stores.length === 0
      ? 'No store is configured. Add one under stores: in the configuration of this process.'
      : unknown.length > 0 ? 'Not known: ' + unknown.join(', ') + ' cannot be read.' : 'No relay has run yet in ' + stores.map((store) => visible(store.store)).join(', ') + '. Configure one under relays: and start the process.'}</p></section>`;
  }
  const columns = ['Relay', 'State', { name: 'Oldest', number: true }, { name: 'Backlog', number: true }, { name: 'Per s', number: true },
    { name: 'Dead', number: true }, { name: 'Parked', number: true }, '15 min'];
  return html`<section><h2>Relays ${order.differs && html`<button type="button" class="small" onClick=${() => { order.sortAgain(); drawAgain(); }}>Worst first</button>`}</h2>
    <${Table} label="Relays" columns=${columns} ...${order.holding}>${order.items.map((relay) => html`<${Row} key=${relay.store + '\n' + relay.relay} relay=${relay} several=${stores.length > 1} recent=${recent} />`)}<//></section>`;
}

async function loadHistories(relays) {
  for (const relay of relays) {
    const ring = ringOf(relay);
    if (!ring.filled) {
      ring.filled = true;
      try {
        fillRing(ring, (await get('series', { store: relay.store, relay: relay.relay, range: '15m' })).points);
      } catch {
        // The line then begins with the live values.
      }
    }
  }
}

function Row({ relay, several, recent }) {
  const here = address(['relays', relay.store, relay.relay]);
  const sampleAge = (relay.storeState.ageSeconds ?? 0) + (performance.now() - live.receivedAt) / 1000;
  const stale = sampleAge > STALE_SECONDS;
  const up = trend(relay);
  return html`<tr data-row tabindex="-1" class="${stale ? 'stale' : ''} ${relay.tone === 'dead' ? 'bad' : ''}">
    <td><a href=${here}><b><${Text} value=${relay.relay} cut=${48} /></b></a>${several && html` <span class="muted">${cutEnd(relay.store, 24)}</span>`}</td>
    <td data-label="State"><${Mark} tone=${relay.tone}>${relay.words}${pausedBy(relay, recent)}<//>${stale && html` <span class="age-note">${age(sampleAge)} old</span>`}</td>
    <td data-label="Oldest" class="number">${relay.oldestSeconds === undefined ? '–' : age(relay.oldestSeconds)} <span class="trend" title=${up === '↑' ? 'getting older' : up === '↓' ? 'recovering' : ''}>${up}</span></td>
    <td data-label="Backlog" class="number">${counted(relay.backlog, { estimate: !relay.backlogExact })}</td>
    <td data-label="Per s" class="number">${rate(relay.publishedPerSecond)}</td>
    <td data-label="Dead" class="number">${!some(relay.dead) ? count(relay.dead) : html`<a href=${address(['failures'], { store: relay.store, relay: relay.relay })} class="dead-text"><b>${counted(relay.dead, { more: relay.deadMore })}</b></a>`}</td>
    <td data-label="Parked" class="number">${counted(relay.parked, { more: relay.parkedMore })}</td>
    <td data-label="15 min"><${Spark} points=${ringOf(relay).points} /></td></tr>`;
}

/** ", ada" if the newest entries of the audit tell who paused it. */
function pausedBy(relay, recent) {
  const entry = relay.tone === 'paused' && recent.find((each) => each.action === 'pause' && each.relay === relay.relay && each.store === relay.store);
  return entry ? ', ' + cutEnd(entry.who, 24) : '';
}

function Letters({ loaded }) {
  const topics = (loaded.value?.topics ?? []).filter((topic) => topic.letters !== '0');
  if (loaded.failure) {
    return html`<p class="muted">Dead letters are not known: ${visible(loaded.failure.message)}</p>`;
  }
  if (!loaded.value) {
    return html`<p class="muted">–</p>`;
  }
  const away = (loaded.value.unavailable ?? []).map((each) => html`<p><${Mark} tone="parked">${visible(each.destination)} does not answer<//></p>`);
  const uncounted = loaded.value.uncounted ?? [];
  return html`${away}${topics.length === 0 && away.length === 0 && html`<p class="muted">no dead letters</p>`}${topics.slice(0, 5).map((topic) => html`<${Topic} topic=${topic} />`)}
    ${topics.length > 5 && html`<p class="muted">and ${topics.length - 5} more topics</p>`}
    ${uncounted.length > 0 && html`<p class="muted">not counted: ${uncounted.map(visible).join(', ')}</p>`}
    <p class="muted" title="The applications that consume measure it: waybill_consumer_lag_seconds and waybill_consumer_oldest_age_seconds">lag: in the metrics of the consumers</p>`;
}

/** The dead letters of a topic, by the consumer that gave them up. */
function Topic({ topic }) {
  const consumers = (topic.consumers ?? []).filter((each) => each.consumer !== '').slice(0, 3);
  return html`<p><a href=${address(['dead-letters', topic.destination, topic.topic])}><${Mark} tone="dead">${counted(topic.letters, { more: !topic.exact })} in <${Text} value=${topic.topic} cut=${40} /><//></a>
    ${consumers.length > 0 && html` <span class="muted">of ${consumers.map((each, index) => html`${index > 0 ? ', ' : ''}<${Text} value=${each.consumer} cut=${30} />`)}${(topic.consumers ?? []).length > 3 ? ' and others' : ''}</span>`}</p>`;
}

function Processes({ relays, unknown }) {
  const processes = new Map();
  const of = (id) => processes.get(id) ?? processes.set(id, { runs: 0, standsBy: 0, fails: 0, here: false }).get(id);
  for (const relay of relays.filter((each) => each.storeState.reachable)) {
    if (relay.owner && relay.leaseUntil) {
      const owner = of(relay.owner);
      owner.runs++;
      owner.here ||= runsHere(relay);
    }
    for (const each of relay.processes ?? []) {
      const process = of(each.process);
      process.standsBy += Number(standbys(relay).includes(each));
      process.fails += Number(each.failingSeconds !== undefined);
      process.here ||= each.here;
    }
  }
  const notKnown = unknown.length > 0 && html`<p class="muted">not known of ${unknown.join(', ')}</p>`;
  if (processes.size === 0) {
    return notKnown || html`<p class="muted">no process runs a relay</p>`;
  }
  const list = [...processes].sort(([, a], [, b]) => b.fails - a.fails || b.runs - a.runs);
  return html`${list.slice(0, 6).map(([id, process]) => html`<p><${Text} value=${id} cut=${40} /> <span class="muted">${words(process)}</span></p>`)}
    ${list.length > 6 && html`<p class="muted">and ${list.length - 6} more</p>`}${notKnown}`;
}

/** "runs 2 relays, stands by for 1, fails with 1, this process" */
function words({ runs, standsBy, fails, here }) {
  return [runs > 0 && 'runs ' + plural(runs, 'relay'), standsBy > 0 && (runs > 0 ? 'stands by for ' + standsBy : 'stands by for ' + plural(standsBy, 'relay')),
    fails > 0 && 'fails with ' + fails, here && 'this process'].filter(Boolean).join(', ');
}

function Recent({ loaded, entries }) {
  const unavailable = loaded.value?.unavailable ?? [];
  if (entries.length === 0 && (loaded.failure || !loaded.value)) {
    return html`<p class="muted">${loaded.failure ? 'The audit is not known: ' + visible(loaded.failure.message) : '–'}</p>`;
  }
  return html`${unavailable.length > 0 && html`<p class="muted">not known of ${unavailable.map((each) => visible(each.store)).join(', ')}</p>`}
    ${entries.length === 0 && unavailable.length === 0 && html`<p class="muted">Nobody has changed anything yet.</p>`}
    ${entries.slice(0, 6).map((entry) => html`<p><${Ago} at=${entry.at} /> <b><${Text} value=${entry.who} cut=${30} /></b> ${visible(entry.action)}${' '}
    <${Text} value=${entry.relay} cut=${40} />${entry.why && html`: <span class="muted">“<${Text} value=${entry.why} cut=${80} />”</span>`}${entry.allowed === false && html` <${Mark} tone="parked">refused<//>`}</p>`)}`;
}
