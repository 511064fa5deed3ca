// Calls of the admin API. Every failure is a Failure with the server's words, so that pages can show cause and remedy.

export class Failure extends Error {
  constructor(message, code, status) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

let signedOut = () => {};

/** Called when the server answers that nobody is signed in. */
export function onSignedOut(listener) {
  signedOut = listener;
}

export function get(path, parameters = {}, signal) {
  const filled = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const search = new URLSearchParams(filled).toString();
  return call(path + (search && '?' + search), { signal });
}

export function post(path, body = {}, signal) {
  return call(path, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body), signal });
}

async function call(path, options) {
  let response;
  try {
    response = await fetch('/api/' + path, { ...options, credentials: 'same-origin', cache: 'no-store' });
  } catch (e) {
    if (e.name === 'AbortError') {
      throw e;
    }
    throw new Failure('The process does not answer. Check that it runs, then try again.', 'unreachable', 0);
  }
  const answer = await json(response);
  if (response.ok) {
    return answer;
  }
  const failure = new Failure(answer.error ?? 'The process answered with status ' + response.status + '.', answer.code, response.status);
  if (failure.code === 'not-signed-in') {
    signedOut();
  }
  throw failure;
}

async function json(response) {
  try {
    return await response.json();
  } catch {
    return {};
  }
}

/** A path of the API from parts that may hold any character. */
export function path(...parts) {
  return parts.map(encodeURIComponent).join('/');
}
