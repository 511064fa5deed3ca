// The address holds the state of the page: path and query. Keys and aggregate ids are personal and stay in the fragment,
// which browsers do not send.

const listeners = new Set();

export function current() {
  const parts = location.pathname.replace(/^\/ui\/?/, '').split('/').filter((part) => part !== '').map(decode);
  return { parts, query: new URLSearchParams(location.search), fragment: new URLSearchParams(location.hash.slice(1)) };
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** An address of the console. Empty values are left out. */
export function address(parts, query = {}, fragment = {}) {
  const path = '/ui/' + parts.map(encodeURIComponent).join('/');
  const search = encoded(query);
  const hash = encoded(fragment);
  return path + (search && '?' + search) + (hash && '#' + hash);
}


function encoded(values) {
  const filled = Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return new URLSearchParams(filled).toString();
}

export function go(to, { replace = false } = {}) {
  if (replace) {
    history.replaceState(null, '', to);
  } else {
    history.pushState(null, '', to);
    scrollTo(0, 0);
  }
  listeners.forEach((listener) => listener());
}

export function onNavigation(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

addEventListener('popstate', () => listeners.forEach((listener) => listener()));

// Links of the console are ordinary links; a plain click changes the page without loading it again.
document.addEventListener('click', (event) => {
  const link = event.target.closest?.('a[href^="/ui/"]');
  if (!link || event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey || link.download) {
    return;
  }
  event.preventDefault();
  go(link.getAttribute('href'));
});
