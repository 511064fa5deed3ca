// The findings of waybill doctor, worst first, with what to do.

import { html, useEffect, useState } from '../vendor/preact/standalone.module.js';
import { get, post } from '../api.js';
import { announce, useLive, useLoaded } from '../hooks.js';
import { subscribe } from '../live.js';
import { Ago, Copy, Failed, Loading, Mark, Text } from '../parts.js';
import { address } from '../router.js';
import { plural, visible } from '../text.js';

const FAILURES = ['dead', 'parked'];
const TONES = { problem: 'dead', warning: 'parked', fine: 'fine' };

export function ChecksPage() {
  const loaded = useLoaded((signal) => get('checks', {}, signal), []);
  const [failure, setFailure] = useState();
  const running = loaded.value?.running;
  useEffect(() => subscribe('checks', loaded.again), []);
  const never = loaded.value && !loaded.value.at && !running;
  useEffect(() => {
    if (never) {
      run();
    }
  }, [never]);
  useEffect(() => {
    const timer = running && setInterval(loaded.again, 1000);
    return () => clearInterval(timer);
  }, [running]);
  const run = () => {
    setFailure(undefined);
    post('checks/run').then(loaded.again, setFailure);
  };
  const findings = loaded.value?.findings ?? [];
  const bad = findings.filter((finding) => finding.severity !== 'fine');
  const fine = findings.filter((finding) => finding.severity === 'fine');
  useEffect(() => {
    if (loaded.value?.at) {
      announce(bad.length === 0 ? 'nothing found' : plural(bad.length, 'finding'));
    }
  }, [loaded.value?.at]);
  return html`<div class="page"><h1>Checks</h1>
    <div class="actions"><button type="button" class="primary" disabled=${running} onClick=${run}>${running ? 'Checking…' : 'Check again'}</button>
      ${loaded.value?.at && html`<span class="muted">checked <${Ago} at=${loaded.value.at} /></span>`}</div>
    <${Failed} failure=${failure} /><${Loading} loaded=${loaded} what="Checks" />
    ${never && html`<p class="empty">Not checked yet since this process started.</p>`}
    ${loaded.value?.at && bad.length === 0 && html`<p class="headline"><${Mark} tone="fine"><b>Nothing found in ${plural(fine.length, 'check')}.</b><//></p>`}
    ${bad.map((finding) => html`<${Finding} finding=${finding} />`)}
    ${fine.length > 0 && html`<details><summary>${plural(fine.length, 'check')} without a finding</summary>${fine.map((finding) => html`<p><${Mark} tone="fine">${visible(finding.about)}: ${visible(finding.subject)}<//> <${Text} value=${finding.what} cut=${300} /></p>`)}</details>`}</div>`;
}

function Finding({ finding }) {
  return html`<div class="card ${finding.severity === 'problem' ? 'trouble' : ''}"><div><${Mark} tone=${TONES[finding.severity] ?? 'pending'}><b>${visible(finding.about)}: ${visible(finding.subject)}</b><//>
    <div><${Text} value=${finding.what} cut=${1000} /></div>
    ${finding.remedy && html`<div class="todo">${visible(finding.remedy)}</div>`}</div>${finding.remedy && html`<${Copy} text=${finding.remedy} label="Copy the remedy" />`}<${Where} finding=${finding} /></div>`;
}

/** The page where something can be done about it. */
function Where({ finding }) {
  const { overview } = useLive();
  const name = /^relay (.+)$/s.exec(finding.about)?.[1];
  const found = (overview?.stores ?? []).flatMap((store) => store.relays).filter((relay) => relay.relay === name);
  if (found.length !== 1) {
    return undefined;
  }
  const [{ store, relay }] = found;
  return FAILURES.includes(finding.subject)
    ? html`<a class="button" href=${address(['failures'], { store, relay })}>Failures</a>`
    : html`<a class="button" href=${address(['relays', store, relay])}>Open the relay</a>`;
}
