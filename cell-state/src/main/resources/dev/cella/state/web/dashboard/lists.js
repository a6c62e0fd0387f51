// Lists of jobs, machines and tasks that stay quick with a hundred thousand rows: only the rows in sight are made.

import { address, ask, part } from './api.js';
import { asPage, button, clock, element, headCell, heading, link, ORDER, percent, problemPage, replace, whole } from './page.js';
import { used } from './map.js';
import { taskBar } from './overview.js';
import { inShownOrder, isInUse, isPressed } from './steady.js';

const ROW_HEIGHT = 31;
const MARGIN = 8;

/** More rows than a screen has. */
const SCREEN_ROWS = 100;

/** A search loads up to this number of tasks before it asks the person. */
const LOOKED_THROUGH_MAX = 100000;

/** A server keeps the pages of a list for a minute after the last one was read. This is less, by what an answer may take. */
const LIST_KEPT_MILLIS = 55000;

const ASK_AGAIN_MILLIS = 2000;

/** @param columns each a name, a value to sort by and a cell to show */
export class VirtualList {
  constructor(caption, columns, empty) {
    this.columns = columns;
    this.rows = [];
    this.sortBy = -1;
    this.above = element('tr', { className: 'spacer', aria: { hidden: 'true' } });
    this.below = element('tr', { className: 'spacer', aria: { hidden: 'true' } });
    this.body = element('tbody', {}, [this.above, this.below]);
    this.table = element('table', { className: 'virtual', aria: { label: caption } }, [
      element('thead', {}, [element('tr', {}, columns.map((column, place) => this.head(column, place)))]), this.body]);
    this.scrolled = element('div', { className: 'list wide', tabIndex: 0, aria: { role: 'region', label: caption } }, [this.table]);
    this.empty = element('p', { className: 'empty', text: empty });
    this.root = element('div', {}, [this.scrolled, this.empty]);
    this.scrolled.addEventListener('scroll', () => { this.draw(); this.onScroll?.(); });
  }

  head(column, place) {
    const head = headCell('', 'col', column.className ?? '');
    head.append(element('button', { type: 'button', text: column.name, className: 'sort', click: () => this.sort(place) }));
    return head;
  }

  sort(place) {
    this.descending = this.sortBy === place && !this.descending;
    this.sortBy = place;
    [...this.table.tHead.rows[0].cells].forEach((head, at) => {
      head.setAttribute('aria-sort', at !== place ? 'none' : this.descending ? 'descending' : 'ascending');
    });
    this.show(this.unsorted);
  }

  /** @param fed whether the cell has changed, not what the person wants to see: then rows in use stay in their places */
  show(rows, fed = false) {
    this.unsorted = rows;
    const sorted = this.sortBy < 0 ? rows : [...rows].sort((one, other) => this.compare(one, other));
    this.rows = fed && isInUse(this.body) ? inShownOrder(this.rows, sorted, this.columns[0].value) : sorted;
    this.table.setAttribute('aria-rowcount', this.rows.length + 1);
    this.empty.hidden = rows.length > 0;
    this.scrolled.hidden = rows.length === 0;
    this.drawn = '';
    this.draw();
  }

  compare(one, other) {
    const value = this.columns[this.sortBy].value;
    const order = typeof value(one) === 'number' ? value(one) - value(other)
      : ORDER.compare(String(value(one)), String(value(other)));
    return this.descending ? -order : order;
  }

  draw() {
    const first = Math.max(0, Math.floor(this.scrolled.scrollTop / ROW_HEIGHT) - MARGIN);
    const last = Math.min(this.rows.length, first + Math.ceil(this.scrolled.clientHeight / ROW_HEIGHT) + 2 * MARGIN);
    if (this.drawn === `${first} ${last}` || isPressed(this.body)) {
      return;
    }
    this.drawn = `${first} ${last}`;
    this.above.style.height = `${first * ROW_HEIGHT}px`;
    this.below.style.height = `${(this.rows.length - last) * ROW_HEIGHT}px`;
    const focused = this.body.contains(document.activeElement) ? document.activeElement.getAttribute('href') : undefined;
    const made = this.rows.slice(first, last).map((row, place) => {
      const line = element('tr', {}, this.columns.map(column => {
        const shown = column.cell(row);
        return element('td', { className: column.className ?? '' }, [shown instanceof Node ? shown : String(shown ?? '')]);
      }));
      line.setAttribute('aria-rowindex', first + place + 2);
      return line;
    });
    this.body.replaceChildren(this.above, ...made, this.below);
    if (focused) {
      [...this.body.querySelectorAll('a')].find(other => other.getAttribute('href') === focused)?.focus();
    }
  }
}

/** A list with a field to search in and a state to choose, both kept in the address. */
class Listed {
  /**
   * @param filters the parameters of the address that the server takes, too
   * @param finds what the field searches for, in a few words
   */
  constructor(title, query, path, states, list, { filters = [], finds = 'name, key=value' } = {}) {
    this.path = path;
    this.filters = filters;
    this.query = Object.fromEntries(query);
    this.list = list;
    this.search = element('input', { type: 'search', className: 'search', value: this.query.q ?? '', placeholder: finds, aria: { label: `search ${title}` } });
    this.state = element('select', { aria: { label: 'state' } },
      ['', ...states].map(value => element('option', { value, text: value || 'all states', selected: value === (this.query.state ?? '') })));
    this.count = element('span', { className: 'soft count', aria: { role: 'status' } });
    this.data = element('div', {}, [this.links()]);
    this.root = element('section', { className: 'listed' }, [heading(title),
      element('div', { className: 'tools' }, [this.search, this.state, this.count]), list.root, this.data]);
    const changed = () => {
      history.replaceState(null, '', address(location.hash.split('?')[0], { ...this.query, q: this.search.value, state: this.state.value }));
      replace(this.data, this.links());
      this.changed();
    };
    this.search.addEventListener('input', changed);
    this.state.addEventListener('change', changed);
  }

  /** What the server can select of what is shown: not the text that is searched for. */
  links() {
    const filters = Object.fromEntries(this.filters.map(name => [name, this.query[name]]));
    return asPage(this.path, { ...filters, state: this.state.value });
  }

  /** How many rows there are. A screen reader says it when the person has changed what is shown, not at each change of the cell. */
  tell(count, fed = false) {
    this.count.setAttribute('aria-live', fed ? 'off' : 'polite');
    this.count.textContent = count;
  }

  /** A text anywhere in the name, or `key=value` of an attribute or a label. */
  fits(name, state, words) {
    const text = this.search.value.trim();
    const pair = /^([^=]+)=(.*)$/.exec(text);
    return (!this.state.value || this.state.value === state)
      && (!text || name.includes(text) || (pair && words?.[pair[1]]?.startsWith(pair[2])));
  }
}

/** A list of rows that the feed brings, of the present or of a past version. */
class FedList extends Listed {
  constructor(...named) {
    super(...named);
    this.showsPast = true;
  }

  draw(cell) {
    this.cell = cell;
    if (this.drawnVersion !== cell.version || this.drawnCell !== cell) {
      this.drawnVersion = cell.version;
      this.drawnCell = cell;
      this.changed(true);
    }
    this.list.draw();
  }
}

const taskSum = job => job.groups.reduce((sum, group) => sum + group.count, 0);

export class Jobs extends FedList {
  constructor(go, query) {
    super('Jobs', query, '/v1/jobs', ['PENDING', 'RUNNING', 'FINISHED', 'FAILED', 'STOPPING', 'STOPPED'], new VirtualList('Jobs', [
      { name: 'Job', value: job => job.name, cell: job => link(job.name, `#/jobs/${part(job.name)}`) },
      { name: 'State', value: job => job.state, cell: job => job.state },
      { name: 'Tasks', value: taskSum, cell: taskBar },
      { name: 'Pending', className: 'number', value: job => job.tasks.pending, cell: job => whole(job.tasks.pending) },
      { name: 'Conflicts', className: 'number', value: job => job.conflicts, cell: job => whole(job.conflicts) },
      { name: 'Scheduler', value: job => job.scheduler, cell: job => job.scheduler },
      { name: 'Type', value: job => job.type, cell: job => job.type },
    ], 'No job fits. cella job run examples/hello.yaml submits one.'), { filters: ['scheduler'] });
  }

  changed(fed = false) {
    const jobs = [...this.cell.jobs.values()]
      .filter(job => (!this.query.scheduler || job.scheduler === this.query.scheduler) && this.fits(job.name, job.state, job.labels))
      .sort((one, other) => other.submittedVersion - one.submittedVersion);
    this.tell(`${whole(jobs.length)} of ${whole(this.cell.jobs.size)}`, fed);
    this.list.show(jobs, fed);
  }
}

export class Machines extends FedList {
  constructor(go, query) {
    super('Machines', query, '/v1/machines', ['READY', 'DRAINING', 'DRAINED', 'DOWN'], new VirtualList('Machines', [
      { name: 'Machine', value: machine => machine.name, cell: machine => link(machine.name, `#/machines/${part(machine.name)}`) },
      { name: 'Status', value: machine => machine.status, cell: machine => machine.status },
      { name: 'CPU', className: 'number', value: machine => used(machine, 'cpuMilli'), cell: machine => percent(used(machine, 'cpuMilli')) },
      { name: 'Memory', className: 'number', value: machine => used(machine, 'memoryMib'), cell: machine => percent(used(machine, 'memoryMib')) },
      { name: 'Tasks', className: 'number', value: machine => machine.taskCount, cell: machine => whole(machine.taskCount) },
      { name: 'Attributes', value: machine => Object.values(machine.attributes ?? {}).join(),
        cell: machine => Object.entries(machine.attributes ?? {}).map(([name, value]) => `${name}=${value}`).join(' ') },
    ], 'No machine fits. cella agent brings one.'));
  }

  changed(fed = false) {
    const machines = [...this.cell.machines.values()]
      .filter(machine => this.fits(machine.name, machine.status, machine.attributes))
      .sort((one, other) => ORDER.compare(one.name, other.name));
    this.tell(`${whole(machines.length)} of ${whole(this.cell.machines.size)}`, fed);
    this.list.show(machines, fed);
  }
}

const TASK_STATES = ['PENDING', 'PLACED', 'RUNNING', 'STOPPING', 'FINISHED', 'FAILED', 'KILLED', 'PREEMPTED', 'LOST'];

const NO_TASK = 'No task fits. A job that is gone has none; its page may still have its past.';

/** Tasks are asked for page by page, as far as the list is scrolled, or until what is searched for fills a screen. */
export class Tasks extends Listed {
  constructor(go, query) {
    super('Tasks', query, '/v1/tasks', TASK_STATES, new VirtualList('Tasks', [
      { name: 'Task', value: task => task.task, cell: task => link(task.task, `#/jobs/${part(task.task.split('/')[0])}?task=${part(task.task)}`) },
      { name: 'State', value: task => task.state, cell: task => task.state },
      { name: 'Attempt', className: 'number', value: task => task.attempt, cell: task => whole(task.attempt) },
      { name: 'Machine', value: task => task.machine ?? '', cell: task => task.machine ? link(task.machine, `#/machines/${part(task.machine)}`) : '-' },
      { name: 'Reason', value: task => task.reason ?? '', cell: task => task.reason ?? (task.state === 'PENDING' ? link('why?', `#/jobs/${part(task.task.split('/')[0])}`) : '') },
      { name: 'Exit', className: 'number', value: task => task.exitCode ?? -1, cell: task => task.exitCode ?? '' },
    ], NO_TASK), { filters: ['job', 'machine'], finds: 'name' });
    this.list.onScroll = () => this.nearTheEnd() && this.loadMore();
    this.further = button('look further', () => this.lookFurther(), { hidden: true });
    this.asOf = element('span', { className: 'soft' });
    this.count.after(this.asOf, button('ask again', () => this.beginAnew()), this.further);
    this.lists = 0;
    this.mayBeginAgain = true;
    this.begin();
  }

  /** From the first page on. Answers of lists before this one come too late. */
  begin() {
    this.lists++;
    this.askedState = this.state.value;
    this.tasks = [];
    this.next = undefined;
    this.cut = '';
    this.loading = false;
    this.lookedThroughMax = LOOKED_THROUGH_MAX;
    this.load();
  }

  /** All pages of a list are of the moment of the first. */
  beginAnew() {
    this.mayBeginAgain = true;
    this.begin();
  }

  /** A search that is under way ends. */
  close() {
    this.lists++;
  }

  lookFurther() {
    this.lookedThroughMax = this.tasks.length + LOOKED_THROUGH_MAX;
    this.loadMore();
  }

  /** For what a person does, the list begins again once if its pages are no longer kept. */
  loadMore() {
    this.mayBeginAgain = true;
    this.load();
  }

  draw() {
    this.list.draw();
  }

  nearTheEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.list.scrolled;
    return this.next && scrollTop + 2 * clientHeight > scrollHeight;
  }

  async load() {
    if (this.loading) {
      return;
    }
    this.loading = true;
    const { lists } = this;
    try {
      const page = await ask(address('/v1/tasks', this.next ? { pageToken: this.next, limit: 1000 }
        : { job: this.query.job, machine: this.query.machine, state: this.askedState, limit: 1000 }));
      if (lists === this.lists) {
        this.loading = false;
        this.readAt = Date.now();
        if (this.tasks.length === 0) {
          this.asOf.textContent = `as of ${clock(this.readAt)}`;
        }
        this.tasks.push(...page.tasks);
        this.next = page.nextPageToken;
        this.showFitting();
      }
    } catch (problem) {
      if (lists === this.lists) {
        this.failed(problem);
      }
    }
  }

  /** What is shown stays, unless all of the list is refused. */
  failed(problem) {
    if (problem.isPassing) {
      this.tell(`${whole(this.tasks.length)} so far. ${problem.message}; trying again`);
      const { lists } = this;
      setTimeout(() => lists === this.lists && this.loadAgain(), ASK_AGAIN_MILLIS);
    } else if (problem.status !== 410) {
      this.root.replaceChildren(problemPage(problem, [link('all tasks', '#/tasks'), link('jobs', '#/jobs')]));
    } else if (this.mayBeginAgain && Date.now() - this.readAt > LIST_KEPT_MILLIS) {
      this.mayBeginAgain = false;
      this.begin();
    } else {
      this.end(problem);
    }
  }

  loadAgain() {
    this.loading = false;
    this.load();
  }

  /** The server has no more of the list, so neither scrolling nor a search asks for more. */
  end(problem) {
    this.loading = false;
    this.next = undefined;
    this.cut = `. ${problem.message}. ${problem.hint}`;
    this.showFitting();
  }

  changed() {
    this.mayBeginAgain = true;
    if (this.askedState === this.state.value) {
      this.showFitting();
    } else {
      this.begin();
    }
  }

  showFitting() {
    const tasks = this.tasks.filter(task => this.fits(task.task, task.state));
    const isShort = this.next && tasks.length < SCREEN_ROWS;
    const isEnough = this.tasks.length >= this.lookedThroughMax;
    this.further.hidden = !(isShort && isEnough);
    this.tell(isShort ? `${whole(tasks.length)} in the first ${whole(this.tasks.length)}`
      : this.cut ? `${whole(tasks.length)} of the first ${whole(this.tasks.length)}${this.cut}`
        : `${whole(tasks.length)}${this.next ? ', more below' : ''}`);
    this.list.empty.textContent = isShort || this.cut ? 'None so far.' : NO_TASK;
    this.list.show(tasks);
    if (isShort && !isEnough) {
      this.load();
    }
  }
}
