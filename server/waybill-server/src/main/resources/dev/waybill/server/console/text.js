// Numbers, times and text as the console shows them. Everything that comes from events passes through visible().

/** All but the selector that makes a symbol an emoji; with the empty Braille pattern, which looks like a space. */
const BIDI_AND_INVISIBLE = /(?!\ufe0f)[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029\u2800\ufff9-\ufffb]/gu;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Text with control characters, bidirectional controls and invisible characters replaced by their numbers, such as [U+202E]. */
export function visible(value) {
  return String(value ?? '')
    .replace(CONTROLS, codePoint)
    .replace(BIDI_AND_INVISIBLE, codePoint);
}

function codePoint(character) {
  return '[U+' + character.codePointAt(0).toString(16).toUpperCase().padStart(4, '0') + ']';
}

/** At most so many characters, cut at the end. */
export function cutEnd(value, length) {
  const text = visible(String(value ?? '').slice(0, length + 1));
  return text.length > length ? text.slice(0, length - 1) + '…' : text;
}

/** At most so many characters, cut in the middle: ids differ at both ends. */
export function cutMiddle(value, length) {
  const text = visible(String(value ?? '').slice(0, 4000));
  if (text.length <= length) {
    return text;
  }
  const head = Math.ceil((length - 1) / 2);
  return text.slice(0, head) + '…' + text.slice(text.length - (length - 1 - head));
}

/** A whole number with separators. Numbers above 2^53 arrive as strings and stay exact. */
export function count(value) {
  const text = String(value ?? '');
  return /^-?\d{1,30}$/.test(text) ? text.replace(/\B(?=(\d{3})+$)/g, ',') : '–';
}

/** A count that may be an estimate (~) or the place where counting stopped (>); a dash if it is not known. */
export function counted(value, { estimate = false, more = false } = {}) {
  const text = count(value);
  return text === '–' ? text : (more ? '> ' : estimate ? '~' : '') + text;
}

/** A rate per second with one digit, such as 310.4. */
export function rate(value) {
  const number = Number(value);
  if (!Number.isFinite(number)) {
    return '–';
  }
  const [whole, fraction] = Math.max(0, number).toFixed(1).split('.');
  return count(whole) + '.' + fraction;
}

/** A duration in at most two units: 0.2s, 41s, 4m12s, 2h03m, 3d04h. */
export function age(seconds) {
  const value = Number(seconds);
  if (seconds === undefined || seconds === null || !Number.isFinite(value)) {
    return '–';
  }
  if (value < 10) {
    return Math.max(0, value).toFixed(1) + 's';
  }
  const whole = Math.floor(value);
  if (whole < 60) {
    return whole + 's';
  }
  if (whole < 3600) {
    return Math.floor(whole / 60) + 'm' + two(whole % 60) + 's';
  }
  if (whole < 86400) {
    return Math.floor(whole / 3600) + 'h' + two(Math.floor((whole % 3600) / 60)) + 'm';
  }
  return Math.floor(whole / 86400) + 'd' + two(Math.floor((whole % 86400) / 3600)) + 'h';
}

/** A duration for a sentence: 12 seconds, 4 min, 2 h. */
export function spoken(seconds) {
  const whole = Math.max(0, Math.floor(Number(seconds) || 0));
  if (whole < 90) {
    return whole + ' s';
  }
  if (whole < 5400) {
    return Math.round(whole / 60) + ' min';
  }
  return whole < 129600 ? Math.round(whole / 3600) + ' h' : Math.round(whole / 86400) + ' days';
}

/** A duration in milliseconds or seconds, for latencies. */
export function latency(seconds) {
  const value = Number(seconds);
  if (seconds === undefined || !Number.isFinite(value)) {
    return '–';
  }
  return value < 1 ? (value * 1000).toFixed(value < 0.01 ? 1 : 0) + ' ms' : age(value);
}

export function bytes(value) {
  const number = Number(value);
  if (!Number.isFinite(number)) {
    return '–';
  }
  return number < 1024 ? number + ' B' : number < 1048576 ? (number / 1024).toFixed(1) + ' KiB' : (number / 1048576).toFixed(1) + ' MiB';
}

/** Milliseconds since 1970, or undefined if the text is no time. */
export function millis(iso) {
  const value = Date.parse(iso);
  return Number.isFinite(value) ? value : undefined;
}

/** 2026-11-17 06:00:00 UTC (07:00:00 local). */
export function absolute(iso) {
  const at = millis(iso);
  if (at === undefined) {
    return visible(iso);
  }
  const date = new Date(at);
  return date.toISOString().slice(0, 19).replace('T', ' ') + ' UTC (' + date.toLocaleString() + ' local)';
}

/** 11:02, local time. */
export function clock(at, seconds = false) {
  const date = new Date(at);
  return two(date.getHours()) + ':' + two(date.getMinutes()) + (seconds ? ':' + two(date.getSeconds()) : '');
}

export function plural(value, one, many = one + 's') {
  return count(value) + ' ' + (String(value) === '1' ? one : many);
}

function two(value) {
  return String(value).padStart(2, '0');
}
