// Loaded before the page is drawn, so that a chosen scheme does not flash. Without a choice the browser's scheme applies.
(function () {
  const chosen = localStorage.getItem('waybill-scheme');
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.scheme = chosen;
  }
})();
