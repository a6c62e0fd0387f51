// The keyboard: `?` lists what it does.

import { button, element, find } from './page.js';

const JUMPS = { o: ['overview', '#/'], c: ['conflicts', '#/conflicts'], w: ['what if', '#/what-if'], j: ['jobs', '#/jobs'], t: ['tasks', '#/tasks'], m: ['machines', '#/machines'],
  s: ['schedulers', '#/schedulers'], p: ['pools', '#/pools'], r: ['members', '#/members'], d: ['all calls', '#/calls'] };

export class Keys {
  constructor(go, actions) {
    this.go = go;
    this.actions = actions;
    document.addEventListener('keydown', event => this.key(event));
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input, select, textarea') || find('dialog[open]')) {
      return;
    }
    if (this.jumping && JUMPS[event.key]) {
      this.go(JUMPS[event.key][1]);
    } else if (event.key === '/') {
      (find('#view .search') ?? find('#search')).focus();
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
    const lines = [...Object.entries(JUMPS).map(([key, [name]]) => [`g ${key}`, name]), ['/', 'search'],
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
