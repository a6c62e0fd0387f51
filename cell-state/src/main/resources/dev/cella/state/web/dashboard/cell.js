// The cell as the feed shows it, and how one stays on the feed.

const EVENTS_KEPT = 100;
const PAUSE_MILLIS = 1000;

/** Machines, jobs and sessions by name, each row as the newest version left it. */
export class Cell {
  constructor() {
    this.clear();
  }

  clear() {
    this.version = 0;
    this.machines = new Map();
    this.jobs = new Map();
    this.sessions = new Map();
    this.events = [];
  }

  /** Takes rows of a snapshot, or of a change. */
  show(version, changes) {
    for (const { kind, name, row } of changes) {
      const table = this.tableOf(kind);
      if (table && row) {
        table.set(name, row);
      } else if (table) {
        table.delete(name);
      }
    }
    this.version = version;
  }

  /** Tasks are not kept: machines name those they hold, and jobs count theirs. */
  tableOf(kind) {
    return { MACHINE: this.machines, JOB: this.jobs, SESSION: this.sessions }[kind];
  }

  note(event) {
    this.events.unshift({ at: new Date(), ...event });
    this.events.length = Math.min(this.events.length, EVENTS_KEPT);
  }
}

/**
 * Stays on the feed. A lost connection is opened again from the last version seen, if the cell is still in the same
 * history; a browser left to itself would resume in another one without noticing.
 */
export class Follower {
  constructor(cell, heard) {
    this.cell = cell;
    this.heard = heard;
    this.incarnation = '';
    this.whole = false;
  }

  async open() {
    try {
      const answer = await fetch('/v1/cell');
      if (!answer.ok) {
        throw new Error(`the cell answers ${answer.status}`);
      }
      this.begin(await answer.json());
    } catch {
      this.lost();
    }
  }

  begin(summary) {
    const resumes = this.whole && summary.incarnation === this.incarnation;
    this.incarnation = summary.incarnation;
    this.cell.name = summary.name;
    this.whole = resumes;
    this.loading = false;
    const source = new EventSource(resumes ? `/v1/feed?from=${this.cell.version}` : '/v1/feed');
    source.addEventListener('snapshot', event => this.snapshot(JSON.parse(event.data)));
    source.addEventListener('change', event => this.change(JSON.parse(event.data)));
    source.addEventListener('heartbeat', () => this.heard('live'));
    source.addEventListener('resync', () => { this.whole = false; this.loading = false; });
    source.addEventListener('error', () => { source.close(); this.lost(); });
  }

  snapshot({ version, last, changes }) {
    if (!this.loading) {
      this.cell.clear();
      this.loading = true;
    }
    this.cell.show(version, changes);
    this.whole = last;
    this.heard('live');
  }

  change(change) {
    this.cell.show(change.version, change.changes);
    this.cell.note(change);
    this.heard('live');
  }

  lost() {
    this.heard('lost');
    setTimeout(() => this.open(), PAUSE_MILLIS);
  }
}
