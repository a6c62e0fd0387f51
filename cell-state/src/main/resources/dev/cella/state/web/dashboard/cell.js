// The cell as the feed shows it, and how one stays on the feed.

import { asProblem, events, Problem } from './api.js';
import { asker } from './poll.js';

const PAUSE_MILLIS = 1000;
const SILENCE_MILLIS = 12000;
const PAST_SILENCE_MILLIS = 30000; // the server copies the cell of then before it answers
const ROWS = 'kinds=MACHINE,JOB,SESSION&every=500ms&brief=true';
const POINTS_MAX = 900;

/** Machines, jobs and sessions by name, each row as the newest version left it. Tasks are asked for where they are shown. */
export class Cell {
  constructor() {
    this.figures = {};
    this.series = new Map();
    this.clear();
  }

  /** Another history of the cell has other figures and series, too. */
  forget() {
    this.clear();
    this.figures = {};
    this.series.clear();
  }

  clear() {
    this.version = 0;
    this.members = (this.members ?? 0) + 1;
    this.machines = new Map();
    this.jobs = new Map();
    this.sessions = new Map();
  }

  /** Another number of members says that a machine came or went. */
  show(version, changes) {
    for (const { kind, name, row } of changes) {
      const table = { MACHINE: this.machines, JOB: this.jobs, SESSION: this.sessions }[kind];
      this.members += table === this.machines && (row === undefined) === table.has(name);
      if (table && row) {
        table.set(name, kind === 'MACHINE' ? slimMachine(row) : kind === 'JOB' ? slimJob(row) : row);
      } else if (table) {
        table.delete(name);
      }
    }
    this.version = version;
  }

  /** The points of the last minutes come once, and then a few with each second's figures. */
  addSeries(list) {
    for (const { name, unit, points } of list?.series ?? []) {
      const known = this.series.get(name) ?? { unit, points: [] };
      const last = known.points.at(-1)?.at ?? '';
      known.points.push(...points.filter(point => point.at > last));
      known.points.splice(0, Math.max(0, known.points.length - POINTS_MAX));
      this.series.set(name, known);
    }
    this.feedKeptFromVersion = list?.feedKeptFromVersion ?? this.feedKeptFromVersion;
  }

  taskCount(state) {
    let count = 0;
    for (const job of this.jobs.values()) {
      count += job.tasks[state] ?? 0;
    }
    return count;
  }
}

/** Of a hundred thousand machines or jobs the page keeps what the map and the lists show. */
function slimMachine({ name, status, capacity, free, attributes, taskCount }) {
  return { name, status, capacity, free, attributes, taskCount };
}

function slimJob({ name, type, scheduler, state, tasks, groups, conflicts, submittedVersion, labels }) {
  return { name, type, scheduler, state, tasks, conflicts, submittedVersion, labels, groups: [{ count: groups.reduce((sum, group) => sum + group.count, 0) }] };
}

/**
 * Stays on the feed. A lost connection is opened again from the last version seen, if the cell is still in the same history; in
 * another one the page starts again.
 */
export class Follower {
  /** @param anotherHistory is called when the cell turns out to have begun a new incarnation since */
  constructor(cell, heard, anotherHistory) {
    this.cell = cell;
    this.heard = heard;
    this.anotherHistory = anotherHistory;
    this.incarnation = '';
    this.whole = false;
    this.heardAt = 0;
    setInterval(() => this.lookAtTheClock(), PAUSE_MILLIS);
  }

  /** Begins again, whatever was under way: with another token, or after the connection was lost. */
  async open() {
    this.close();
    this.heardAt = Date.now(); // a server has as long to begin as to say something
    const abort = new AbortController();
    this.abort = abort;
    const get = asker(abort.signal);
    try {
      const summary = await get('/v1/cell');
      this.heardAt = Date.now();
      this.cell.name = summary.name;
      const resumes = this.whole && summary.incarnation === this.incarnation;
      if (this.incarnation && summary.incarnation !== this.incarnation) {
        this.cell.forget();
        this.anotherHistory(summary.incarnation);
      }
      this.cell.addSeries(await get('/v1/series'));
      this.heardAt = Date.now();
      this.incarnation = summary.incarnation;
      this.whole = resumes;
      this.loading = false;
      const from = resumes ? `&from=${this.cell.version}` : '';
      await events(`/v1/feed?${ROWS}&figures=true${from}`, abort.signal, (name, data) => this.take(name, data));
      this.lost(abort, 'the server ended the connection');
    } catch (failure) {
      this.lost(abort, asProblem(failure));
    }
  }

  close() {
    clearTimeout(this.again);
    this.abort?.abort();
    this.abort = undefined;
  }

  take(name, data) {
    this.heardAt = Date.now();
    if (name === 'snapshot') {
      if (!this.loading) {
        this.cell.clear();
        this.loading = true;
      }
      this.cell.show(data.version, data.changes);
      this.whole = data.last;
      this.loading = !data.last;
    } else if (name === 'change') {
      this.cell.show(data.version, data.changes);
    } else if (name === 'figures') {
      this.cell.figures = data;
      this.cell.addSeries(data.series);
    } else if (name === 'resync') {
      this.whole = false;
      this.loading = false;
    }
    this.heard('live');
  }

  /** A connection that says nothing for longer than two heartbeats is none. */
  lookAtTheClock() {
    if (Date.now() - this.heardAt > SILENCE_MILLIS) {
      this.abort?.abort();
    }
  }

  /** Opens again, unless another connection is in the place of this one, or none is wanted. */
  lost(abort, problem) {
    if (this.abort === abort) {
      this.heard('lost', problem);
      this.again = setTimeout(() => this.open(), PAUSE_MILLIS);
    }
  }
}

/** The cell as it was at a past version. Fails with a problem where that is no longer kept, or if the server says nothing for a while. */
export async function cellAt(version, live, signal) {
  const past = new Cell();
  past.series = live.series;
  past.name = live.name;
  const abort = new AbortController();
  let refused = '';
  let silence;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(new Problem(0)), PAST_SILENCE_MILLIS);
  };
  heard();
  try {
    await events(`/v1/feed?${ROWS}&at=${version}`, AbortSignal.any([signal, abort.signal]), (name, data) => {
      heard();
      if (name === 'resync') {
        refused = data.reason;
        abort.abort();
      } else if (name === 'snapshot') {
        past.show(data.version, data.changes);
        if (data.last) {
          abort.abort();
        }
      }
    });
  } catch (failure) {
    if (failure.name !== 'AbortError') {
      throw asProblem(failure);
    }
  } finally {
    clearTimeout(silence);
  }
  signal.throwIfAborted();
  if (refused) {
    throw new Problem(410, { title: 'No longer kept', detail: refused });
  }
  return past;
}
