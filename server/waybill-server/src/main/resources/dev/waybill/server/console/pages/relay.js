// One relay: its state in words, who runs it, charts, failures, configuration, and what can be done with it.

import { html, useEffect, useMemo, useState } from '../vendor/preact/standalone.module.js';
import { get, path, post } from '../api.js';
import { ConfirmDialog } from '../action.js';
import { useLive, useLoaded, useTick } from '../hooks.js';
import { judge, runsHere, sentence, standbys } from '../judge.js';
import { Table } from '../list.js';
import { live, serverNow } from '../live.js';
import { Action, Failed, Loading, Mark, Text, Unavailable } from '../parts.js';
import { address, current, go } from '../router.js';
import { denied } from '../session.js';
import { age, count, counted, cutMiddle, latency, millis, plural, rate, visible } from '../text.js';
import { Groups } from './groups.js';

const RANGES = { '15m': '15 min', '3h': '3 h', '24h': '24 h' };
const CHARTS = [
  { title: 'Published per second', lines: [{ name: 'published', key: 'published' }], format: (value) => rate(value) },
  { title: 'Oldest waiting', lines: [{ name: 'oldest', key: 'oldest' }], format: (value) => age(value) },
  { title: 'Backlog', lines: [{ name: 'backlog', key: 'backlog' }], format: (value) => (value === undefined ? '–' : count(Math.round(value))) },
  { title: 'Latency, append to acknowledgement', lines: [{ name: 'p50', key: 'p50' }, { name: 'p95', key: 'p95', dash: [6, 3] }, { name: 'p99', key: 'p99', dash: [2, 3] }], format: latency },
];

export function RelayPage({ parts: [, store, name] }) {
  const { overview } = useLive();
  useTick();
  const [dialog, setDialog] = useState();
  const loaded = useLoaded((signal) => get('relays/' + path(store, name), {}, signal), [store, name]);
  const groups = useLoaded((signal) => get('failures', { store, relay: name }, signal), [store, name], 15_000);
  const sampled = overview && judge(overview).find((each) => each.store === store && each.relay === name);
  const { error, unavailableSince, ageSeconds } = loaded.value ?? {};
  const fresh = loaded.value && { storeState: { store, reachable: error === undefined, error, unavailableSince, ageSeconds }, tone: 'pending', words: loaded.value.relay.state, ...loaded.value.relay };
  const relay = sampled ?? fresh;
  return html`<div class="page"><h1><span class="muted">${visible(store)} /</span> <${Text} value=${name} cut=${100} /></h1>
    <${Loading} loaded=${loaded} what="This relay" />
    ${relay && html`${relay.storeState.error && html`<${Unavailable} list=${[{ store, error: relay.storeState.error, since: relay.storeState.unavailableSince }]} />`}
      <${State} relay=${relay} />
      <${Actions} relay=${relay} onAct=${setDialog} />
      <${Facts} relay=${relay} />
      <${Processes} relay=${relay} />
      <${Charts} store=${store} name=${name} />
      <section><h2>Failures</h2><${Loading} loaded=${groups} what="Failures" />
        ${groups.value && html`<${Groups} groups=${groups.value.groups} unavailable=${groups.value.unavailable} where="this relay" onChanged=${groups.again} />`}</section>
      <${Configuration} configuration=${loaded.value?.configuration} />`}
    ${dialog && html`<${RelayDialog} kind=${dialog} relay=${relay} onClose=${() => { setDialog(undefined); loaded.again(); }} />`}</div>`;
}

function State({ relay }) {
  return html`<p class="headline ${relay.tone === 'dead' ? 'trouble' : ''}"><${Mark} tone=${relay.tone}><b>${sentence(relay)}</b><//></p>
    ${relay.problem && html`<p class="card ${relay.tone === 'dead' ? 'trouble' : ''}">${cutMiddle(relay.problem, 600)}</p>`}`;
}

function Actions({ relay, onAct }) {
  const paused = relay.state === 'paused';
  const running = relay.state === 'running';
  return html`<div class="actions">
    ${paused ? html`<${Action} denied=${denied()} onClick=${() => onAct('resume')}>Resume…<//>` : html`<${Action} denied=${denied()} onClick=${() => onAct('pause')}>Pause…<//>`}
    <${Action} denied=${denied() ?? (running ? 'a process runs it; stop it first' : undefined)} danger onClick=${() => onAct('drop')}>Drop…<//>
    <a class="button" href=${address(['events'], { store: relay.store, relay: relay.relay })}>Its events</a>
    <a class="button" href=${address(['audit'], { store: relay.store, relay: relay.relay })}>Its audit</a></div>`;
}

function Facts({ relay }) {
  const left = relay.leaseUntil && (millis(relay.leaseUntil) - serverNow()) / 1000;
  const stale = (relay.storeState.ageSeconds ?? 0) + (performance.now() - live.receivedAt) / 1000 > 5;
  const fact = (name, value) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<dl class="facts ${stale ? 'stale' : ''}">
    ${fact('Run by', relay.owner ? html`<${Text} value=${relay.owner} cut=${60} />${runsHere(relay) ? ' (this process)' : ''}` : relay.words === 'unknown' ? 'not known' : 'nobody')}
    ${relay.phase && fact('In this process', visible(relay.phase))}
    ${relay.processes && fact('Standing by', relay.words === 'unknown' ? 'not known' : standbys(relay).length === 0 ? 'nobody' : plural(standbys(relay).length, 'process', 'processes'))}
    ${fact('Epoch', relay.epoch === undefined ? '–' : count(relay.epoch))}
    ${fact('Lease', left === undefined || Number.isNaN(left) ? '–' : left > 0 ? age(left) + ' left' : 'ended ' + age(-left) + ' ago')}
    ${fact('Destination', visible(relay.destination ?? '–'))}
    ${fact('Backlog', counted(relay.backlog, { estimate: !relay.backlogExact }))}
    ${fact('Oldest', age(relay.oldestSeconds))}
    ${fact('Published per s', rate(relay.publishedPerSecond))}
    ${fact('Dead', counted(relay.dead, { more: relay.deadMore }))}
    ${fact('Parked', counted(relay.parked, { more: relay.parkedMore }) + (relay.oldestParkedSeconds === undefined ? '' : ', oldest ' + age(relay.oldestParkedSeconds)))}
    ${relay.hidden !== undefined && relay.hidden !== '0' && fact('Not visible yet', count(relay.hidden))}
    ${relay.latency && fact('Latency p50 / p95 / p99', [relay.latency.p50, relay.latency.p95, relay.latency.p99].map(latency).join(' / '))}</dl>`;
}

function Processes({ relay }) {
  const list = relay.processes ?? [];
  if (list.length < 2 && !list.some((each) => each.failingSeconds !== undefined && !each.here)) {
    return undefined;
  }
  return html`<section><h2>Processes</h2><${Table} label="Processes" columns=${['Process', 'State', { name: 'Failing for', number: true }, 'Why']}>${list.map((each) => html`<tr data-row tabindex="-1" key=${each.process}>
    <td data-label="Process"><${Text} value=${each.process} cut=${60} />${each.here && html` <span class="muted">this process</span>`}</td>
    <td data-label="State"><${Mark} tone=${each.failingSeconds !== undefined ? 'dead' : each.runs ? 'fine' : 'pending'}>${visible(each.phase)}<//></td>
    <td data-label="Failing for" class="number">${each.failingSeconds === undefined ? '–' : age(each.failingSeconds)}</td>
    <td data-label="Why" class="wide">${each.problem ? html`<${Text} value=${each.problem} cut=${300} />` : '–'}</td></tr>`)}<//></section>`;
}

function Charts({ store, name }) {
  const { query } = current();
  const range = RANGES[query.get('range')] ? query.get('range') : '15m';
  const [chart, setChart] = useState();
  const [failure, setFailure] = useState();
  useEffect(() => {
    import('../chart.js').then((module) => setChart(() => module.Chart), setFailure);
  }, []);
  const series = useLoaded((signal) => get('series', { store, relay: name, range }, signal), [store, name, range], range === '15m' ? 2000 : 15_000);
  const audit = useLoaded((signal) => get('audit', { store, relay: name, limit: 50 }, signal), [store, name], 30_000);
  const withMarks = useMemo(() => series.value && { ...series.value, marks: audit.value?.entries ?? [] }, [series.value, audit.value]);
  const Chart = chart;
  const shown = CHARTS.filter((each) => each.lines.some((line) => series.value?.points?.some((point) => point[line.key] !== undefined)));
  return html`<section><h2>Charts <span class="choices" role="group" aria-label="Range">${Object.entries(RANGES).map(([key, words]) => html`
      <button type="button" class="small" aria-pressed=${String(key === range)} onClick=${() => go(address(['relays', store, name], { range: key }), { replace: true })}>${words}</button>`)}</span></h2>
    <${Failed} failure=${failure} /><${Loading} loaded=${series} what="Charts" />
    ${series.value && shown.length === 0 && html`<p class="empty">No samples yet. They are taken once a second while this process runs.</p>`}
    <div class="charts">${Chart && series.value && shown.map((each) => html`<${Chart} key=${each.title} ...${each} series=${withMarks} />`)}</div></section>`;
}

function Configuration({ configuration }) {
  if (!configuration) {
    return html`<section><h2>Configuration</h2><p class="muted">This process does not configure this relay.</p></section>`;
  }
  return html`<section><h2>Configuration</h2><pre class="payload" tabindex="0" role="region" aria-label="Configuration">${visible(configuration)}</pre></section>`;
}

function RelayDialog({ kind, relay, onClose }) {
  const at = 'relays/' + path(relay.store, relay.relay) + '/';
  const name = visible(relay.relay);
  if (kind === 'pause') {
    return html`<${ConfirmDialog} title=${'Pause ' + name} label="Pause the relay" onClose=${onClose} run=${(reason) => post(at + 'pause', { reason })}
      means="Events are still appended and wait; nothing is lost. The backlog grows until the relay is resumed. Every process that runs it stops publishing within a second or two." />`;
  }
  if (kind === 'resume') {
    return html`<${ConfirmDialog} title=${'Resume ' + name} label="Resume the relay" onClose=${onClose} reasonRequired=${false} run=${(reason) => post(at + 'resume', { reason })}
      means=${'It publishes what waits, in order: ' + counted(relay.backlog, { estimate: !relay.backlogExact }) + ' events. Consumers get them as fast as the broker takes them.'} />`;
  }
  return html`<${ConfirmDialog} title=${'Drop ' + name} label="Drop the relay" danger typed=${relay.relay} onClose=${onClose}
    run=${(reason, confirm) => post(at + 'drop', { reason, confirm }).then(() => go(address([])))}
    means=${`Its position and its parked and dead events are forgotten; events stay in the outbox. This cannot be undone. Processes that have it in their configuration cannot start it again in a journal, until somebody runs "waybill relay restore ${name}"; then it begins anew. In a table or MongoDB they start it at once, and it goes on with what is not published.`} />`;
}
