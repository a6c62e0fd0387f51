// What if: the last minutes decided again by the server's simulator, with another setting, beside what happened.

import { address, ask } from './api.js';
import { asData, clock, element, heading, link, problemPage, short, submit, table, whole } from './page.js';

const WINDOWS = [['1m', 'last minute'], ['5m', 'last 5 minutes'], ['15m', 'last 15 minutes'], ['30m', 'last 30 minutes']];
const CHOICES = [
  ['conflictRule', 'conflict rule', [['RESOURCE', 'RESOURCE'], ['MACHINE', 'MACHINE']]],
  ['atomicity', 'atomicity', [['INCREMENTAL', 'INCREMENTAL'], ['ALL_OR_NOTHING', 'ALL_OR_NOTHING']]],
];
const FIELDS = [['instances', 'instances', 'as many'], ['type', 'type', 'the same'], ['decisionTime', 'decision time', 'as long, or 50ms'], ['options', 'options', 'draws=8']];
const CHANGES = [...CHOICES, ...FIELDS].map(([name]) => name);

/** The columns: each names the counts of a scheduler, and what they are. */
const COLUMNS = [['happened', 'what happened'], ['replayed', 'replayed as it was'], ['changed', 'replayed with the change']];
const FIGURES = [
  ['transactions with a conflict', counts => short(counts.conflicted)],
  ['conflict fraction', counts => short(counts.conflictFraction)],
  ['claims placed', counts => short(counts.claimsAccepted)],
  ['claims lost', counts => short(counts.claimsConflicted) + spread(counts)],
  ['jobs placed whole', counts => `${short(counts.jobsPlaced)} of ${short(counts.jobs)}`],
  ['wait until placed whole, mean', counts => counts.waitMeanSeconds === undefined ? '-' : `${short(counts.waitMeanSeconds)} s`],
];

/** The least and the most over the seeds of a replay. */
const spread = counts => counts.claimsConflictedMin === undefined || counts.claimsConflictedMin === counts.claimsConflictedMax ? ''
  : ` (${short(counts.claimsConflictedMin)} to ${short(counts.claimsConflictedMax)})`;

export class WhatIf {
  constructor(go, query) {
    this.go = go;
    this.query = Object.fromEntries(query);
    this.answer = element('div', { className: 'stack', aria: { live: 'polite' } });
    this.scheduler = element('select', { name: 'scheduler', aria: { label: 'scheduler' } }, [element('option', { value: '', text: 'every scheduler' })]);
    this.root = element('div', { className: 'stack' }, [
      element('section', {}, [heading('What if'),
        element('p', { text: 'The server decides the last minutes again in virtual time: once as they were, once with the change.' }), this.form()]),
      this.answer]);
    this.offerSchedulers();
    if (CHANGES.some(name => this.query[name])) {
      this.replay();
    }
  }

  close() {
    this.isClosed = true;
  }

  form() {
    const choice = (name, label, options, chosen) => element('label', { text: `${label} ` }, [
      element('select', { name }, options.map(([value, text]) => element('option', { value, text, selected: value === chosen })))]);
    const form = element('form', { className: 'filters' }, [
      choice('window', 'window', WINDOWS, this.query.window ?? '5m'),
      element('label', { text: 'scheduler ' }, [this.scheduler]),
      ...CHOICES.map(([name, label, options]) => choice(name, label, [['', 'as it was'], ...options], this.query[name] ?? '')),
      ...FIELDS.map(([name, label, placeholder]) => element('label', { text: `${label} ` }, [element('input', { name, placeholder, value: this.query[name] ?? '' })])),
      submit('replay')]);
    form.addEventListener('submit', event => {
      event.preventDefault();
      const asked = address('#/what-if', Object.fromEntries(new FormData(form)));
      if (asked === location.hash) {
        this.replay();
      } else {
        this.go(asked);
      }
    });
    return form;
  }

  /** The conflicts that belong to it in a report. */
  asked() {
    return { window: this.query.window ?? '5m', scheduler: this.query.scheduler ?? '' };
  }

  /** Those of the last half hour, as the record has them. */
  async offerSchedulers() {
    const names = await ask('/v1/conflicts?window=30m').then(counted => counted.schedulers.map(each => each.name)).catch(() => []);
    const known = this.query.scheduler && !names.includes(this.query.scheduler) ? [this.query.scheduler, ...names] : names;
    this.scheduler.append(...known.map(name => element('option', { value: name, text: name, selected: name === this.query.scheduler })));
  }

  async replay() {
    const path = address('/v1/conflicts/what-if', this.query);
    this.answer.replaceChildren(element('section', {}, [element('p', { className: 'empty', text: 'Replaying. A busy window takes some seconds.' })]));
    try {
      const answer = await ask(path);
      if (!this.isClosed) {
        this.answer.replaceChildren(...this.shown(answer, path));
      }
    } catch (problem) {
      this.answer.replaceChildren(problemPage(problem, [link('start again', '#/what-if'), link('all conflicts', '#/conflicts')]));
    }
  }

  shown(answer, path) {
    if (answer.schedulers.length === 0) {
      return [element('section', {}, [element('p', { text: 'No job waited for a place in this window, so there is nothing to decide again.' }),
        element('p', {}, [link('a longer window', address('#/what-if', { ...this.query, window: '30m' })), ' ', link('all conflicts', '#/conflicts')])])];
    }
    const all = answer.schedulers.length > 1 ? [answer.total, ...answer.schedulers] : answer.schedulers;
    return [
      element('section', {}, [
        heading(answer.change ? `${answer.change}` : 'Nothing changes'),
        element('p', { className: 'summary', text: this.sentence(answer) }),
        element('p', { className: 'soft', text: `${whole(answer.jobs)} jobs with ${whole(answer.tasks)} tasks, on ${whole(answer.machines)} machines, `
          + `from ${clock(answer.fromAt)} to ${clock(answer.toAt)}.` }),
        ...all.flatMap(each => [heading(each === answer.total ? 'All schedulers' : each.name), this.figures(each)]),
        asData(path, 'schedulers')]),
      element('section', {}, [heading('What the replay knows, and what it does not'),
        element('ul', {}, answer.notes.map(note => element('li', { text: note })))]),
    ];
  }

  /** The difference between the two replays, and how far the replay is from what happened. */
  sentence({ change, total }) {
    const lost = counts => whole(Math.round(counts.claimsConflicted)); // the mean of several replays
    return change
      ? `${lost(total.changed)} claims lost instead of ${lost(total.replayed)} in the replay as it was. ${lost(total.happened)} were lost in fact.`
      : `${lost(total.replayed)} claims lost in the replay, ${lost(total.happened)} in fact.`;
  }

  figures(scheduler) {
    return table(`What happened to ${scheduler.name}, and the replays`, ['', ...COLUMNS.map(([, text]) => [text, 'number'])],
      FIGURES.map(([text, figure]) => [text, ...COLUMNS.map(([name]) => figure(scheduler[name]))]));
  }
}
