// The keyboard: `?` lists what it does.

import { button, element, find } from './page.js';

const JUMPS = { o: ['overview', '#/'], c: ['conflicts', '#/conflicts'], w: ['what if', '#/what-if'], j: ['jobs', '#/jobs'], t: ['tasks', '#/tasks'], m: ['machines', '#/machines'],
  s: ['schedulers', '#/schedulers'], p: ['pools', '#/pools'], r: ['members', '#/members'], d: ['all calls', '#/calls'] };
const ROWS = { j: 1, k: -1 };

/** Moves the focus to the next row of the view that has something to open. */
function toRow(step) {
  const links = [...document.querySelectorAll('#view tbody tr')].map(row => row.querySelector('a')).filter(Boolean);
  const at = links.findIndex(each => each.closest('tr').contains(document.activeElement));
  links[at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
}

export class Keys {
  constructor(go, actions) {
    this.go = go;
    this.actions = actions;
    document.addEventListener('keydown', event => this.key(event));
  }

  key(event) {
    if (event.key === 'Enter' && event.target.matches('#view .search')) {
      toRow(1);
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea') || find('dialog[open]')) {
      return;
    }
    if (this.jumping && JUMPS[event.key]) {
      this.go(JUMPS[event.key][1]);
    } else if (event.key === '/') {
      (find('#view .search') ?? find('#search')).focus();
    } else if (ROWS[event.key]) {
      toRow(ROWS[event.key]);
    } else if (event.key === '?') {
      this.help();
    } else if (this.actions[event.key]) {
      this.actions[event.key].act();
    } else if (event.key !== 'g') {
      this.jumping = false;
      return;
    }
    this.jumping = event.key === 'g';
    event.preventDefault();
  }

  help() {
    const lines = [...Object.entries(JUMPS).map(([key, [name]]) => [`g ${key}`, name]), ['/', 'search; Enter goes on to the rows'],
      ['j k', 'the next row, the row before; Enter opens it'],
      ...Object.entries(this.actions).map(([key, { name }]) => [key, name]),
      ['arrows', 'move over the map; Enter opens the machine, + and - zoom'], ['?', 'this list'], ['Esc', 'close']];
    const dialog = element('dialog', { aria: { label: 'Keys' } }, [
      element('h2', { text: 'Keys' }),
      element('dl', { className: 'keys' }, lines.flatMap(([key, name]) => [element('dt', {}, [element('kbd', { text: key })]), element('dd', { text: name })])),
      button('close', () => dialog.close())]);
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
