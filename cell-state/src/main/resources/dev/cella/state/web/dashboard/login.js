// The login page sends its form by itself if the address has a token, as in `/#token=T`.

const given = /^#token=(.+)$/.exec(location.hash);
if (given) {
  history.replaceState(null, '', location.pathname);
  const form = document.querySelector('form');
  form.elements.token.value = decodeURIComponent(given[1]);
  form.submit();
}
