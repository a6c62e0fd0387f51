// The login page shows the token of the address, as in `/#token=T`, in its form. A person sends it: a link on another site must not log anybody
// in, or in the place of another token.

const given = /^#token=(.+)$/.exec(location.hash);
if (given) {
  history.replaceState(null, '', location.pathname);
  const form = document.querySelector('form');
  form.elements.token.value = decodeURIComponent(given[1]);
  form.querySelector('button').focus();
}
