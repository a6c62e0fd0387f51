// The login page shows the token of the address, as in `/#token=T`, in its form. A person sends it: a link on another site must not log anybody
// in, or in the place of another token.

import { tokenOfAddress } from './api.js';

const given = tokenOfAddress();
if (given) {
  const form = document.querySelector('form');
  form.elements.token.value = given;
  form.querySelector('button').focus();
}
