// The frame of every page: header, navigation, keys, help. The address chooses the page.

import { html, render, useEffect, useErrorBoundary, useReducer, useState } from './vendor/preact/standalone.module.js';
import { onSignedOut } from './api.js';
import { useLive, useTick } from './hooks.js';
import { listen, OTHERS, PLACES } from './keys.js';
import { freeze, live, start, stop } from './live.js';
import { Dialog, Failed, Mark } from './parts.js';
import { AuditPage } from './pages/audit.js';
import { ChecksPage } from './pages/checks.js';
import { DeadLettersPage } from './pages/dead-letters.js';
import { EventPage } from './pages/event.js';
import { EventsPage } from './pages/events.js';
import { FailuresPage } from './pages/failures.js';
import { OperationsPage } from './pages/operations.js';
import { Overview } from './pages/overview.js';
import { RelayPage } from './pages/relay.js';
import { ReplaysPage } from './pages/replays.js';
import { SignInPage } from './pages/sign-in.js';
import { address, current, go, onNavigation } from './router.js';
import { load, session, signOut } from './session.js';
import { age, spoken, visible } from './text.js';

function pageOf({ parts }) {
  const [first, , third] = parts;
  if (first === undefined) {
    return Overview;
  }
  if (first === 'relays') {
    return third === undefined ? Overview : RelayPage;
  }
  if (first === 'events') {
    return third === undefined ? EventsPage : EventPage;
  }
  return { failures: FailuresPage, 'dead-letters': DeadLettersPage, replays: ReplaysPage, operations: OperationsPage, checks: ChecksPage, audit: AuditPage }[first] ?? NotFound;
}

function NotFound() {
  return html`<h1>No such page</h1><p>The console has no page at this address. <a href="/ui/">Overview</a></p>`;
}

function App() {
  const [, drawAgain] = useReducer((n) => n + 1, 0);
  const [failure, setFailure] = useState();
  const [help, setHelp] = useState(false);
  const who = () => load().then(() => { setFailure(undefined); drawAgain(); }, setFailure);
  useEffect(() => {
    onSignedOut(() => {
      session.who = { ...session.who, role: undefined };
      drawAgain();
    });
    listen({ help: () => setHelp(true), scheme: switchScheme });
    who();
    return onNavigation(drawAgain);
  }, []);
  const signedIn = Boolean(session.who?.role);
  useEffect(() => {
    live.wanted = signedIn;
    if (signedIn) {
      start();
    } else {
      stop();
    }
  }, [signedIn]);
  if (!session.who) {
    return html`<main><${Failed} failure=${failure} again=${who} /></main>`;
  }
  if (!signedIn) {
    return html`<${SignInPage} who=${session.who} onSignedIn=${drawAgain} />`;
  }
  const here = current();
  const place = PLACES.find(([, , parts]) => parts[0] === here.parts[0]);
  document.title = [here.parts.slice(1).map(visible).join(' / '), place?.[1] ?? 'Relay', 'Waybill'].filter(Boolean).join(' · ');
  return html`<a class="skip" href="#main" onClick=${toMain}>Skip to the content</a>
    <${Header} here=${here} onHelp=${() => setHelp(true)} onSignOut=${() => signOut().then(drawAgain, drawAgain)} />
    <main id="main" tabindex="-1"><${Guarded} key=${here.parts.join('\n')} page=${pageOf(here)} here=${here} /></main>
    ${help && html`<${Help} onClose=${() => setHelp(false)} />`}`;
}

function toMain(event) {
  event.preventDefault();
  document.getElementById('main').focus();
}

/** A page that fails to draw says so; the header and the navigation stay. */
function Guarded({ page: Page, here }) {
  const [error, reset] = useErrorBoundary();
  if (error) {
    return html`<${Failed} failure=${new Error('This page could not be drawn: ' + error.message)} again=${reset} />`;
  }
  return html`<${Page} ...${here} />`;
}

function Header({ here, onHelp, onSignOut }) {
  const search = (event) => {
    event.preventDefault();
    const text = event.target.elements.search.value.trim();
    if (text !== '') {
      go(address(['events'], /^[0-9a-f-]{32,36}$/i.test(text) ? { id: text } : { type: text }));
    }
  };
  const { who } = session;
  // On a narrow screen the places scroll.
  useEffect(() => {
    const show = () => document.querySelector('nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    show();
    addEventListener('resize', show);
    return () => removeEventListener('resize', show);
  }, [here.parts[0]]);
  return html`<header><a class="brand" href="/ui/">WAYBILL</a><${Pulse} />
    <button type="button" class="small" aria-pressed=${String(live.frozen)} onClick=${freeze} aria-keyshortcuts="p">Freeze</button>
    <form role="search" onSubmit=${search}><input id="search" name="search" type="search" placeholder="/  event id or type" aria-label="Search events by id or type" autocomplete="off" aria-keyshortcuts="/" /></form>
    <span class="space"></span>
    ${who.readOnly && html`<span class="tag">read-only</span>`}
    <span class="who">${who.authentication === 'none' ? html`<span class="nobody" title="Everyone on this machine is an operator.">no sign-in</span>` : html`${visible(who.name)} <span class="muted">${visible(who.role)}</span>`}</span>
    ${who.authentication === 'password' && html`<button type="button" class="small" onClick=${onSignOut}>Sign out</button>`}
    <button type="button" class="small" onClick=${switchScheme} aria-keyshortcuts="t">Light/dark</button>
    <button type="button" class="small" onClick=${onHelp} aria-label="Keys and help" aria-keyshortcuts="?">?</button></header>
    <nav aria-label="Pages">${PLACES.map(([key, name, parts]) => html`<a href=${address(parts)} aria-current=${(here.parts[0] ?? '') === (parts[0] ?? '') || (parts.length === 0 && here.parts[0] === 'relays') ? 'page' : undefined} title=${'g ' + key}>${name}</a>`)}</nav>`;
}

/** How old the values on the screen are. */
function Pulse() {
  useLive();
  useTick();
  const seconds = (performance.now() - live.receivedAt) / 1000;
  if (live.frozen) {
    return html`<span class="pulse"><${Mark} tone="paused">frozen, ${age(Math.floor(seconds))} old<//></span>`;
  }
  if (live.status === 'live' && seconds < 5) {
    return html`<span class="pulse"><${Mark} tone="fine">live<//></span>`;
  }
  if (live.status === 'connecting' && !live.overview) {
    return html`<span class="pulse"><${Mark} tone="pending">connecting<//></span>`;
  }
  const next = Math.max(0, Math.ceil((live.retryAt - performance.now()) / 1000));
  return html`<span class="pulse"><${Mark} tone="dead">no answer from the process${live.overview ? `, values ${spoken(seconds)} old` : ''}${next > 0 ? `, next try in ${next} s` : ''}<//></span>`;
}

function Help({ onClose }) {
  return html`<${Dialog} title="Keys" onClose=${onClose}><dl class="keys">
    ${PLACES.map(([key, name]) => html`<div><dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${name}</dd></div>`)}
    ${OTHERS.map(([key, what]) => html`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
    <p class="muted">Waybill ${visible(session.who.version ?? '')}. Times are ages on the store's clock; the exact time is shown when the pointer or the focus is on them.</p>
    <div class="buttons"><button type="button" autofocus onClick=${onClose}>Close</button></div><//>`;
}

function switchScheme() {
  const root = document.documentElement;
  const now = root.dataset.scheme ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  root.dataset.scheme = now === 'dark' ? 'light' : 'dark';
  localStorage.setItem('waybill-scheme', root.dataset.scheme);
}

render(html`<${App} />`, document.getElementById('app'));
