// The login page shows the token of the address, as in `/#token=T`, in its form. A person sends it: a link on another site must not log anybody
// in, or in the place of another token. A login is for the whole browser, so it removes the token of this tab.

import { forgetToken, tokenOfAddress } from './api.js';

const form = document.querySelector('form');
const given = tokenOfAddress();
if (given) {
  form.elements.token.value = given;
  form.querySelector('button').focus();
}
form.addEventListener('submit', forgetToken);
