// What pages share: the live values, a clock, and loading from the API.

import { useEffect, useReducer, useRef, useState } from './vendor/preact/standalone.module.js';
import { live, subscribe } from './live.js';

export function useLive() {
  const [, changed] = useReducer((n) => n + 1, 0);
  useEffect(() => subscribe('change', changed), []);
  return live;
}

/** Draws again every second, so that ages tick between two samples. */
export function useTick() {
  const [, tick] = useReducer((n) => n + 1, 0);
  useEffect(() => {
    const timer = setInterval(() => !live.frozen && !document.hidden && tick(), 1000);
    return () => clearInterval(timer);
  }, []);
}

/**
 * Loads when the page opens and when one of the inputs changes. What was loaded stays while it is loaded again; a
 * failure is a value beside it. With `every` it loads again so many milliseconds after each answer while the page is visible.
 */
export function useLoaded(load, inputs, every) {
  const [state, setState] = useState({ loading: true });
  const current = useRef();
  const again = () => {
    current.current?.abort();
    const controller = new AbortController();
    current.current = controller;
    setState((before) => ({ ...before, loading: true }));
    return load(controller.signal).then(
      (value) => controller.signal.aborted || setState({ value, at: Date.now() }),
      (failure) => controller.signal.aborted || setState((before) => ({ ...before, loading: false, failure })));
  };
  useEffect(() => {
    let timer;
    let ended = false;
    const next = () => {
      if (!ended && every) {
        timer = setTimeout(() => (document.hidden || live.frozen ? next() : again().then(next)), every);
      }
    };
    setState({ loading: true });
    again().then(next);
    return () => {
      ended = true;
      clearTimeout(timer);
      current.current?.abort();
    };
  }, inputs);
  return { ...state, again };
}

/** True once something has lasted 300 ms: quick answers show no skeleton. */
export function useSlow(lasting) {
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    setSlow(false);
    const timer = lasting && setTimeout(() => setSlow(true), 300);
    return () => clearTimeout(timer);
  }, [lasting]);
  return lasting && slow;
}

let announcing;
/** Reads a text to users of screen readers, once things are quiet. */
export function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    document.getElementById('announcer').textContent = text;
  }, 500);
}
