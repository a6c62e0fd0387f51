// Conflicts: the matrix over any window, what the groups are, the ledger with filters, and one conflict as a photo finish.

import { address, ask, part } from './api.js';
import { asData, asPage, button, clock, element, heading, link, moment, problemPage, replace, short, submit, table, waiting, whole } from './page.js';
import { Poll } from './poll.js';

export const ALL_KEPT = 'all';
const WINDOWS = [['1m', 'last minute'], ['5m', 'last 5 minutes'], ['15m', 'last 15 minutes'], ['30m', 'last 30 minutes'], [ALL_KEPT, 'all that is kept']];
const GROUPS = ['machine', 'scheduler', 'winner', 'reason', 'dimension', 'job'];
const FILTERS = ['scheduler', 'winner', 'machine', 'task', 'reason', 'dimension', 'from', 'to'];
const GROUPS_SHOWN_MAX = 20;

/** A row for each who lost, a column for each who won; the redder, the more often. */
export function matrixTable(matrix, filters) {
  if (matrix.length === 0) {
    return element('p', { className: 'empty', text: 'No claim was lost to another scheduler in this window.' });
  }
  const losers = [...new Set(matrix.map(entry => entry.loser))].sort();
  const winners = [...new Set(matrix.map(entry => entry.winner))].sort();
  const most = Math.max(1, ...matrix.map(entry => entry.count));
  const made = table('Lost by loser and winner', ['lost by \\ won by', ...winners], losers.map(loser => [
    link(loser, `#/schedulers/${part(loser)}`),
    ...winners.map(winner => {
      const entry = matrix.find(each => each.loser === loser && each.winner === winner);
      if (!entry) {
        return '';
      }
      const count = link(whole(entry.count), address('#/conflicts', { ...filters, scheduler: loser, winner }), 'heat');
      count.style.setProperty('--heat', entry.count / most);
      count.setAttribute('aria-label', `${loser} lost ${entry.count} claims to ${winner}`);
      return count;
    }),
  ]));
  made.classList.add('matrix');
  return made;
}

/** The sentence of a lost claim. */
export const why = lost => lost.reason === 'DOES_NOT_FIT'
  ? `asked ${whole(lost.asked)} ${lost.dimension}, ${whole(Math.max(0, lost.free))} free`
  : lost.reason.toLowerCase().replaceAll('_', ' ');

export function ledgerTable(conflicts) {
  const made = table('Lost claims, newest first',
    ['When', 'Task', 'Machine', 'Why', 'Lost by', 'Won by', ['Stale by', 'number'], 'The task now'],
    conflicts.map(lost => [
      element('a', { href: `#/conflicts/${lost.version}/${part(lost.task)}` }, [moment(lost.at)]),
      link(lost.task, `#/jobs/${part(lost.task.split('/')[0])}`),
      lost.machine ? link(lost.machine, `#/machines/${part(lost.machine)}`) : '-',
      why(lost), lost.loser.scheduler, lost.winner?.scheduler ?? '-', `${whole(lost.stalenessVersions)} v`,
      lost.placedMachine ? `on ${lost.placedMachine}` : lost.outcome.toLowerCase(),
    ]), 'No claim was lost in this window.');
  made.classList.add('lines');
  return made;
}

export class Conflicts {
  constructor(go, query) {
    this.go = go;
    this.query = Object.fromEntries(query);
    this.window = this.query.window || (this.query.from || this.query.to ? ALL_KEPT : '5m');
    this.groupBy = this.query.groupBy ?? 'machine';
    this.summary = element('p', { className: 'summary' });
    this.matrix = element('div');
    this.groups = element('div');
    this.refusals = element('div');
    this.ledger = element('div');
    this.more = button('older', () => this.older());
    this.failure = element('span', { className: 'failure', aria: { role: 'alert' } });
    this.root = element('div', { className: 'conflicts' }, [
      element('section', {}, [heading('Conflicts'), this.form(), this.summary]),
      element('section', {}, [heading('Lost by \\ won by'), this.matrix, this.data('matrix')]),
      element('section', {}, [heading(`By ${this.groupBy}`), this.groups, this.data('groups')]),
      element('section', { className: 'broad' }, [heading('Ledger'), this.ledger, this.more, this.failure, asPage('/v1/conflicts/ledger', this.filters())]),
      element('section', { className: 'broad' }, [heading('Refused for other reasons'), this.refusals, this.data('refusals')]),
    ]);
    this.rows = [];
    this.isPaged = false;
    this.poll = new Poll(get => this.load(get),
      problem => this.summary.replaceChildren(problemPage(problem, [link('show the last 5 minutes', '#/conflicts')])),
      problem => replace(this.ledger, waiting(problem)));
  }

  close() {
    this.poll.close();
  }

  form() {
    const windows = element('select', { name: 'window', aria: { label: 'window' } },
      WINDOWS.map(([value, text]) => element('option', { value, text, selected: value === this.window })));
    const groups = element('select', { name: 'groupBy', aria: { label: 'group by' } },
      GROUPS.map(value => element('option', { value, text: `by ${value}`, selected: value === this.groupBy })));
    const ends = new Set(['from', 'to']);
    const fields = FILTERS.map(name => element('input', {
      name, value: this.query[name] ?? '', placeholder: ends.has(name) ? `${name}: version or time` : name, aria: { label: name },
      title: ends.has(name) ? 'A version, or a time such as 2026-11-23T14:40:43Z. The times below have theirs as titles.' : '' }));
    const form = element('form', { className: 'filters' }, [windows, groups, ...fields, submit('show'),
      link('clear', '#/conflicts')]);
    form.addEventListener('change', event => event.target.matches('select') && form.requestSubmit());
    form.addEventListener('submit', event => {
      event.preventDefault();
      const said = Object.fromEntries(new FormData(form));
      this.go(address('#/conflicts', said.from || said.to ? { ...said, window: ALL_KEPT } : said));
    });
    return form;
  }

  filters() {
    return Object.fromEntries(FILTERS.filter(name => this.query[name]).map(name => [name, this.query[name]]));
  }

  /** What is asked of /v1/conflicts; all that is kept is from version 0 on. */
  asked() {
    const stretch = this.query.from || this.query.to ? {} : this.window === ALL_KEPT ? { from: 0 } : { window: this.window };
    return { ...this.filters(), ...stretch, groupBy: this.groupBy };
  }

  data(name) {
    return element('p', { className: 'data' }, [
      link('JSON', address('/v1/conflicts', this.asked())), ' ',
      link('CSV', address('/v1/conflicts', { ...this.asked(), format: 'csv', table: name }))]);
  }

  async load(get) {
    const counted = await get(address('/v1/conflicts', this.asked()));
    this.show(counted);
    if (!this.isPaged) {
      const from = this.query.from || (this.window === ALL_KEPT ? '' : counted.fromAt);
      const page = await get(address('/v1/conflicts/ledger', { ...this.filters(), from, limit: 50 }));
      if (!this.isPaged) {
        this.from = from;
        this.rows = page.conflicts;
        this.showLedger(page);
      }
    }
  }

  show(counted) {
    const kept = counted.keptFromAt ? ` Lost claims before ${clock(counted.keptFromAt)} are no longer kept.` : ' None was left out.';
    this.summary.textContent = `${whole(counted.conflicts)} claims lost, ${short(counted.conflictsPerSecond)} a second, from `
      + `${clock(counted.fromAt)} to ${clock(counted.toAt)}.${kept}`;
    replace(this.matrix, matrixTable(counted.matrix, { ...this.query, window: this.window }));
    replace(this.groups, table(`Lost claims by ${this.groupBy}`, [this.groupBy, ['Lost', 'number'], ['a second', 'number'], 'First', 'Last'],
      counted.groups.slice(0, GROUPS_SHOWN_MAX).map(group => [this.narrow(group.key), whole(group.count), short(group.perSecond), moment(group.firstAt), moment(group.lastAt)]),
      'No claim was lost in this window.'));
    replace(this.refusals, table('Refusals that are no conflicts', ['Reason', 'Dimension', ['Items', 'number']],
      counted.refusals.map(refusal => [refusal.reason, refusal.dimension ?? '', whole(refusal.count)]), 'Nothing was refused for another reason.'));
  }

  narrow(key) {
    const name = this.groupBy === 'job' ? 'task' : this.groupBy;
    return link(key, address('#/conflicts', { ...this.query, window: this.window, groupBy: this.groupBy, [name]: key }));
  }

  showLedger(page) {
    this.next = page.nextPageToken;
    this.more.hidden = !this.next;
    replace(this.ledger, ledgerTable(this.rows));
  }

  /** Adds the page after the rows that are shown when it is asked for. From then on the ledger stays as it is. */
  async older() {
    if (this.isAsking) {
      return;
    }
    const { from, rows } = this;
    this.isAsking = true;
    this.failure.textContent = '';
    try {
      const page = await ask(address('/v1/conflicts/ledger', { ...this.filters(), from, limit: 200, pageToken: this.next }));
      this.isPaged = true;
      this.rows = [...rows, ...page.conflicts];
      this.showLedger(page);
    } catch (problem) {
      this.failure.textContent = ` ${problem.message}. ${problem.hint}`;
    } finally {
      this.isAsking = false;
    }
  }
}

const signed = number => `${number > 0 ? '+' : ''}${whole(number)}`;

/** One conflict: who planned on what, what came in between, and where the loser landed. */
export class Photo {
  constructor(go, query, [version, task]) {
    this.root = element('div', { className: 'stack' }, [element('section', {}, [heading(`Photo finish at version ${version}`)])]);
    this.load(version, task);
  }

  async load(version, task) {
    try {
      this.show(await ask(address('/v1/conflicts/photo', { version, task })));
    } catch (problem) {
      this.root.replaceChildren(problemPage(problem, [link('all conflicts that are kept', address('#/conflicts', { window: ALL_KEPT }))]));
    }
  }

  show(photo) {
    const { conflict, loser, winner, between, placed } = photo;
    const versions = [loser?.basis ?? conflict.basis, winner?.basis, winner?.version ?? conflict.winner?.version, conflict.version, placed?.version]
      .filter(version => version !== undefined);
    const from = Math.min(...versions);
    const span = Math.max(1, Math.max(...versions) - from);
    const began = Date.parse(loser?.basisAt ?? conflict.at);
    const after = at => at === undefined ? '' : ` (${signed(Date.parse(at) - began)} ms)`;
    const lane = (name, className, start, end, text) => {
      const bar = element('i', { className, title: text });
      bar.style.marginLeft = `${(start - from) / span * 100}%`;
      bar.style.width = `${Math.max(0.6, (end - start) / span * 100)}%`;
      return element('div', { className: 'lane' }, [element('span', { text: name }), element('div', {}, [bar]), element('span', { className: 'soft', text })]);
    };
    const lanes = [lane(`${conflict.loser.scheduler} (lost)`, 'lost', loser?.basis ?? conflict.basis, conflict.version,
      `planned on ${whole(conflict.basis)}${after(loser?.basisAt)}, decided at ${whole(conflict.version)}${after(conflict.at)}`)];
    if (conflict.winner) {
      lanes.push(lane(`${conflict.winner.scheduler} (won)`, 'won', winner?.basis ?? conflict.winner.version, conflict.winner.version,
        winner ? `planned on ${whole(winner.basis)}${after(winner.basisAt)}, decided at ${whole(winner.version)}${after(winner.at)}` : `decided at ${whole(conflict.winner.version)}`));
    }
    if (placed) {
      lanes.push(lane('until placed', 'running', conflict.version, placed.version, `on ${placed.machine} at ${whole(placed.version)}${after(placed.at)}`));
    }
    this.root.replaceChildren(
      element('section', {}, [
        heading(`Photo finish at version ${whole(conflict.version)}`),
        element('p', { text: `${conflict.task} wanted ${conflict.machine ?? 'a machine'}: ${why(conflict)}. The plan was ${whole(conflict.stalenessVersions)} versions old`
          + `${loser?.basisAt ? ` (${whole(Math.max(0, Date.parse(loser.at) - Date.parse(loser.basisAt)))} ms)` : ''} when it was decided.` }),
        element('div', { className: 'lanes photo' }, lanes),
        element('p', { className: 'soft', text: `From version ${whole(from)} to ${whole(from + span)}. Milliseconds count from ${
          loser?.basisAt ? 'the loser\'s basis' : 'the commit'}, at ${clock(began)}.` }),
        element('p', { text: `What became of it: ${conflict.outcome === 'PLACED_ELSEWHERE' ? `placed on ${conflict.placedMachine}`
          + `${placed ? `, ${short((Date.parse(placed.at) - Date.parse(conflict.at)) / 1000)} s later` : ''}` : conflict.outcome.toLowerCase()}.` }),
        element('p', {}, [link('the job', `#/jobs/${part(conflict.task.split('/')[0])}`), ' ',
          link('the cell at the loser\'s basis', `#/?at=${conflict.basis}`), ' ',
          link('all conflicts on this machine', address('#/conflicts', { window: ALL_KEPT, machine: conflict.machine }))]),
        asData(this.path(conflict), 'answer'),
      ]),
      element('section', {}, [heading(`Placed on ${conflict.machine ?? 'that machine'} in between`),
        table('Placed in between', ['Version', 'When', 'Task', 'By', 'Transaction'],
          between.map(step => [whole(step.version), moment(step.at), step.task, step.scheduler ?? '-', step.transaction ?? '-']),
          'Nothing, or it is no longer kept.'), asData(this.path(conflict), 'between')]),
      element('section', {}, [heading('Both transactions'),
        table('Both transactions', ['Side', 'Scheduler', 'Planned on', 'Decided at', ['Accepted', 'number'], ['Conflicts', 'number'], ['Refused', 'number']],
          [['lost', loser], ['won', winner]].filter(([, side]) => side).map(([name, side]) => [
            name, side.scheduler, whole(side.basis), whole(side.version), whole(side.accepted), whole(side.conflicted), whole(side.refused)])),
        asData(this.path(conflict), 'answer')]));
  }

  path({ version, task }) {
    return address('/v1/conflicts/photo', { version, task });
  }
}
