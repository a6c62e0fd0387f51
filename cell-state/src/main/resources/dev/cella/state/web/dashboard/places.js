// One machine, one scheduler, the pools, the members and all calls.

import { readyMachine } from './actions.js';
import { address, part } from './api.js';
import { ClaimedCharts } from './chart.js';
import { drainMachine, tasksOn } from './drain.js';
import { used } from './map.js';
import { amounts, asData, asPage, button, element, heading, link, meter, moment, percent, problemPage, replace, short, table, usage, waiting, whole } from './page.js';
import { ALL_KEPT, matrixTable, why } from './conflicts.js';
import { Poll } from './poll.js';
import { lanes, stepTable } from './timeline.js';

const TASKS_SHOWN_MAX = 200;
const POINTS_MAX = 2000;

/** A page that asks for what it shows every two seconds, and says honestly when it cannot. Its part `above`, if it has one, says so first. */
class Asked {
  constructor(ways) {
    this.root = element('div');
    this.ways = ways;
  }

  begin() {
    this.poll = new Poll(get => this.show(get), problem => this.root.replaceChildren(problemPage(problem, this.ways)),
      problem => replace(this.above ?? this.root, waiting(problem)));
  }

  close() {
    this.poll.close();
  }

  async show(get) {
    replace(this.root, await this.made(get));
  }
}

export class Machine extends Asked {
  constructor(go, query, [name]) {
    super([link('all machines', '#/machines'), link('the overview', '#/')]);
    this.name = name;
    this.path = `/v1/machines/${part(name)}`;
    this.series = new Map();
    this.charts = new ClaimedCharts();
    this.above = element('div');
    this.below = element('div');
    this.root.append(element('div', { className: 'stack' }, [this.above,
      element('section', {}, [heading('Claimed here, over time'), this.charts.root, asData(address('/v1/series', { machine: name }), 'series.points')]),
      this.below]));
    this.begin();
  }

  draw(cell, { live }) {
    this.live = live;
    if (this.capacity) {
      this.charts.draw(this.series, this.capacity);
    }
  }

  async show(get) {
    const [machine, timeline, conflicts] = await Promise.all([
      get(this.path), get(address('/v1/timeline', { machine: this.name })),
      get(address('/v1/conflicts', { machine: this.name, from: 0 })), this.loadSeries(get)]);
    const tasks = new Map((await tasksOn(this.name, machine.tasks.slice(0, TASKS_SHOWN_MAX), get).catch(() => [])).map(task => [task.task, task]));
    this.capacity = machine.capacity;
    replace(this.above, this.now(machine, tasks));
    replace(this.below, this.past(machine, timeline, conflicts));
    this.charts.draw(this.series, this.capacity);
  }

  /** What came since the last point. */
  async loadSeries(get) {
    const { series } = await get(address('/v1/series', { machine: this.name, from: this.seriesFrom }));
    for (const { name, points } of series) {
      this.series.set(name, [...this.series.get(name) ?? [], ...points].slice(-POINTS_MAX));
      this.seriesFrom = Math.max(this.seriesFrom ?? 0, (points.at(-1)?.version ?? -1) + 1);
    }
  }

  now(machine, tasks) {
    const isReady = machine.status === 'READY';
    return element('div', { className: 'columns' }, [
      element('section', {}, [heading(`${machine.name}  ${machine.status}`),
        table('Amounts', ['Dimension', 'Claimed', ['Capacity', 'number'], ['Free', 'number']],
          Object.entries(machine.capacity).map(([name, capacity]) => [name, meter(used(machine, name), percent(used(machine, name))),
            whole(capacity), whole(machine.free[name] ?? 0)])),
        machine.spare ? element('p', { className: 'soft', text: `Spare work, which ends when other work needs the room: ${Object.entries(machine.spare).map(([name, amount]) => `${name}=${whole(amount)}`).join('  ')}` }) : '',
        element('p', { className: 'soft', text: Object.entries(machine.attributes).map(([name, value]) => `${name}=${value}`).join('  ') || 'no attributes' }),
        element('p', {}, [machine.status === 'DOWN' ? '' : isReady ? button('drain', () => drainMachine(machine, this.live?.machines), { className: 'danger' })
          : button('make ready', () => readyMachine(this.name)), ' ', link('conflicts here', address('#/conflicts', { window: ALL_KEPT, machine: this.name }))]),
        machine.usage ? usage(machine.usage) : undefined,
        asData(this.path, 'answer')]),
      element('section', {}, [heading('Holds now'), table('Tasks here, used of what was asked', ['Task', 'CPU', 'Memory'], machine.tasks.slice(0, TASKS_SHOWN_MAX).map(task => [
          link(task, `#/jobs/${part(task.split('/')[0])}?task=${part(task)}`),
          besideAsked(tasks.get(task)?.usage?.cpuMilli, tasks.get(task)?.resources.cpuMilli, 'm'),
          besideAsked(tasks.get(task)?.usage?.memoryMib, tasks.get(task)?.resources.memoryMib, 'MiB')]), 'It holds nothing.'),
        machine.tasks.length > TASKS_SHOWN_MAX ? link(`all ${whole(machine.tasks.length)}`, address('#/tasks', { machine: this.name })) : undefined,
        asPage('/v1/tasks', { machine: this.name })]),
      machine.queued ? element('section', {}, [heading(`${whole(machine.queued)} in its queue`), table('Queue', ['Task, the next one first'],
        machine.queue.map(task => [link(task, `#/jobs/${part(task.split('/')[0])}?task=${part(task)}`)])),
      machine.queued > machine.queue.length ? element('p', { className: 'soft', text: `and ${whole(machine.queued - machine.queue.length)} more` }) : undefined,
      machine.waits ? waits(machine.waits) : undefined, asData(this.path, 'answer')]) : undefined,
    ]);
  }

  past(machine, timeline, conflicts) {
    const steps = address('/v1/timeline', { machine: this.name });
    return element('div', { className: 'stack' }, [
      element('section', {}, [heading('Placed here, over time'), lanes(timeline.steps, { ofJob: false, held: new Set(machine.tasks) }),
        element('details', {}, [element('summary', { text: 'Every step' }), stepTable(timeline.steps)]), asData(steps, 'steps')]),
      element('section', {}, [heading('Claims lost here'), matrixTable(conflicts.matrix, { machine: this.name, window: ALL_KEPT }),
        asData(address('/v1/conflicts', { machine: this.name, from: 0 }), 'matrix')]),
    ]);
  }
}

/** Used and asked of one task; what was not measured is a dash. */
const besideAsked = (value, asked, unit) => asked === undefined ? '-' : `${value === undefined ? '-' : whole(value)} of ${whole(asked)} ${unit}`;

/** How long one more task would wait behind the queue, by cores and memory. */
function waits(said) {
  return table(`Waits of one more task, said ${said.saidAgo} ago`, [['cpuMilli', 'number'], ...said.memoryMib.map(size => [`${whole(size)} MiB`, 'number'])],
    said.cpuMilli.map((size, row) => [whole(size), ...said.memoryMib.map((each, column) => said.rows[row].waits[column] ?? 'never')]));
}

/** What the ledger proves would have avoided conflicts: empty where it proves nothing. */
export function remedies(counted, ledger) {
  const lost = counted.claimsConflicted ?? 0;
  const said = [];
  const byRule = ledger.filter(each => each.reason === 'MACHINE_CHANGED').length;
  if (byRule * 2 >= ledger.length && ledger.length >= 10) {
    said.push(`${whole(byRule)} of the newest ${whole(ledger.length)} lost claims are MACHINE_CHANGED: under conflictRule RESOURCE a claim is lost only where it no longer fits.`);
  }
  const machines = new Map();
  ledger.forEach(each => machines.set(each.machine, (machines.get(each.machine) ?? 0) + 1));
  const hot = [...machines.values()].sort((one, other) => other - one).slice(0, 3).reduce((sum, count) => sum + count, 0);
  if (machines.size > 3 && hot * 2 >= ledger.length && ledger.length >= 10) {
    said.push(`${whole(hot)} of ${whole(ledger.length)} were on three machines: a placement that draws more widely spreads them.`);
  }
  if ((counted.conflictFraction ?? 0) >= 1 && counted.stalenessVersionsMedian !== undefined) {
    said.push(`Plans are ${whole(counted.stalenessVersionsMedian)} versions old when they are decided (median), and more are lost than get through: think less, or fewer at a time.`);
  }
  const stillFull = ledger.filter(each => each.reason !== 'MACHINE_CHANGED').length;
  if (said.length === 0 && lost > 0 && stillFull === ledger.length) {
    said.push('Every lost claim no longer fitted when it was decided: the rule did not cost anything.');
  }
  return said;
}

export class Scheduler extends Asked {
  constructor(go, query, [name]) {
    super([link('the overview', '#/'), link('all conflicts', '#/conflicts')]);
    this.name = name;
    this.begin();
  }

  async made(get) {
    const counts = address('/v1/conflicts', { scheduler: this.name, window: '30m' });
    const ledger = address('/v1/conflicts/ledger', { scheduler: this.name, limit: 1000 });
    const [all, counted, page] = await Promise.all([get('/v1/schedulers?limit=1000'), get(counts), get(ledger)]);
    const sessions = all.schedulers.filter(each => each.name === this.name);
    const own = counted.schedulers.find(each => each.name === this.name) ?? {};
    const landed = page.conflicts.filter(each => each.placedVersion);
    const said = remedies(own, page.conflicts);
    return element('div', { className: 'columns' }, [
      element('section', {}, [heading(`Scheduler ${this.name}`),
        table('Instances', ['Instance', 'State', 'Busy', 'Wasted', ['Queue', 'number'], ['Behind', 'number']], sessions.map(each => [
          each.instance, each.state, meter(each.busyFraction, percent(each.busyFraction)), meter(each.wastedBusyFraction, percent(each.wastedBusyFraction), 'conflicts'),
          each.queueLength === undefined ? '-' : whole(each.queueLength), each.lagVersions === undefined ? '-' : `${whole(each.lagVersions)} v`]),
        'It has no session now: its jobs wait until one is opened.'),
        element('p', {}, [link('its jobs', address('#/jobs', { scheduler: this.name })), ' ', link('its conflicts', address('#/conflicts', { scheduler: this.name, window: '30m' }))]), asPage('/v1/schedulers')]),
      element('section', {}, [heading('What its conflicts cost, last 30 minutes'),
        table('Costs', ['What', ['How much', 'number']], [
          ['transactions that got through', whole(own.successful ?? 0)], ['transactions with a conflict', whole(own.conflicted ?? 0)],
          ['conflict fraction', short(own.conflictFraction)], ['claims lost', whole(own.claimsConflicted ?? 0)],
          ['busy time wasted', percent(own.wastedBusyFraction)], ['versions behind when decided (median)', short(own.stalenessVersionsMedian)],
          ['lost claims placed since', `${whole(landed.length)} of ${whole(page.conflicts.length)}`],
          ['versions until placed (median)', landed.length === 0 ? '-' : whole(median(landed.map(each => each.placedVersion - each.version)))],
        ]), asData(counts, 'schedulers')]),
      element('section', {}, [heading('What would have avoided them'),
        said.length === 0 ? element('p', { className: 'empty', text: 'The ledger proves nothing here.' })
          : element('ul', {}, said.map(sentence => element('li', { text: sentence }))),
        element('p', {}, [link('replay with another setting', address('#/what-if', { scheduler: this.name }))])]),
      element('section', {}, [heading('Lost to'), matrixTable(counted.matrix, { window: '30m' }), asData(counts, 'matrix')]),
      element('section', { className: 'broad' }, [heading('Newest'), table('Newest lost claims', ['Task', 'Machine', 'Why', 'Won by'],
        page.conflicts.slice(0, 15).map(lost => [link(lost.task, `#/conflicts/${lost.version}/${part(lost.task)}`), lost.machine ?? '-', why(lost), lost.winner?.scheduler ?? '-']),
        'It lost nothing in the time that is kept.'), asPage('/v1/conflicts/ledger', { scheduler: this.name })]),
    ]);
  }
}

const median = values => [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)];

export class Schedulers extends Asked {
  constructor() {
    super([link('the overview', '#/')]);
    this.begin();
  }

  async made(get) {
    const { schedulers } = await get('/v1/schedulers?limit=1000');
    return element('section', {}, [heading('Schedulers'), table('Schedulers', ['Scheduler', 'Instance', 'Type', 'State', 'Busy', 'Wasted', ['Placed', 'number'], ['Lost', 'number']],
      schedulers.map(each => [link(each.name, `#/schedulers/${part(each.name)}`), each.instance, each.type, each.state,
        meter(each.busyFraction, percent(each.busyFraction)), meter(each.wastedBusyFraction, percent(each.wastedBusyFraction), 'conflicts'),
        whole(each.claims?.accepted ?? 0), whole(each.claims?.conflicted ?? 0)]), 'No scheduler has a session: cella scheduler starts one.'), asPage('/v1/schedulers')]);
  }
}

export class Pools extends Asked {
  constructor() {
    super([link('jobs by scheduler', '#/jobs'), link('the overview', '#/')]);
    this.begin();
  }

  async made(get) {
    const { pools } = await get('/v1/pools?limit=1000');
    const someOf = map => amounts(Object.fromEntries(Object.entries(map ?? {}).filter(([, amount]) => amount !== 0)));
    return element('section', {}, [heading('Pools'), table('Pools', ['Pool', ['Weight', 'number'], ['Dominant share', 'number'], 'Used', 'Pending', 'Fair share', 'Deficit', 'Minimum', 'Limit'],
      pools.map(pool => [pool.name, short(pool.weight ?? 1), percent(pool.dominantShare), someOf(pool.used), someOf(pool.pending), someOf(pool.share), someOf(pool.deficit),
        amounts(pool.minimum), amounts(pool.limit)]),
      'No pool is in use.'), asPage('/v1/pools')]);
  }
}

/** Marks of one kind that follow each other, so that two hundred machines that came together are one row. */
function runs(marks) {
  const found = [];
  for (const mark of marks) {
    const last = found.at(-1);
    last?.[0].mark === mark.mark ? last.push(mark) : found.push([mark]);
  }
  return found;
}

const whom = run => run.length <= 4 ? run.map(mark => mark.name).join(', ')
  : `${run.slice(0, 3).map(mark => mark.name).join(', ')} and ${whole(run.length - 3)} more`;

export class Members extends Asked {
  constructor() {
    super([link('the overview', '#/')]);
    this.begin();
  }

  async made(get) {
    const [cell, marks] = await Promise.all([get('/v1/cell'), get('/v1/timeline')]);
    const listed = await get('/v1/members').catch(() => undefined);
    const members = listed?.members ?? cell.replicas.map(replica => ({ ...replica, role: replica.leader ? 'LEADER' : 'FOLLOWER' }));
    return element('div', { className: 'stack' }, [
      element('section', {}, [heading('Members'), table('Members', ['Name', 'Role', 'Address', ['Behind', 'number'], 'Healthy'],
        members.map(member => [member.name, member.role, member.address, member.matchIndexLag === undefined ? '-' : whole(member.matchIndexLag),
          member.healthy === undefined ? '-' : member.healthy ? 'yes' : 'no'])), listed ? asData('/v1/members') : asData('/v1/cell', 'replicas'),
      element('p', { className: 'soft', text: `cell ${cell.name}, incarnation ${cell.incarnation}, version ${whole(cell.version)}` })]),
      element('section', {}, [heading('What happened'), table('Faults, drains, schedulers and leaders', ['When', ['Version', 'number'], 'What', 'Whom'],
        runs([...marks.marks].reverse()).slice(0, 100).map(run => [moment(run[0].at), whole(run[0].version), run[0].mark.toLowerCase().replaceAll('_', ' '), whom(run)]),
        'Nothing since the server started.'), asData('/v1/timeline', 'marks')]),
    ]);
  }
}

/** Parameters that many reads have. */
const OF_READS = new Set(['minVersion', 'changedAfter', 'wait', 'linearizable', 'limit', 'pageToken', 'format', 'table']);

/** All calls, drawn from the document that describes them. */
export class Calls extends Asked {
  constructor() {
    super([link('the overview', '#/')]);
    this.begin();
  }

  /** Asked for once: a server's calls do not change. */
  async show(get) {
    await super.show(get);
    this.close();
  }

  async made(get) {
    const { paths, openapi } = await get('/openapi.json');
    const rows = Object.entries(paths).flatMap(([path, verbs]) => Object.entries(verbs).map(([verb, call]) => [
      verb.toUpperCase(), verb === 'get' && !path.includes('{') ? link(path, path) : path, call.summary,
      (call.parameters ?? []).filter(parameter => !OF_READS.has(parameter.name)).map(parameter => `${parameter.name}${parameter.required ? '*' : ''}`).join(' '),
      call.requestBody ? Object.values(call.requestBody.content)[0].schema.$ref.split('.').pop() : '',
      Object.values(call.responses['2XX'].content)[0]?.schema?.$ref?.split('/').pop() ?? '']));
    return element('section', {}, [heading('All calls'),
      element('p', {}, [`OpenAPI ${openapi}: `, link('/openapi.json', '/openapi.json'), '; the job file: ', link('/schemas/job.json', '/schemas/job.json'),
        `. A star marks what must be said. Reads also take ${[...OF_READS].join(', ')}, where that makes sense.`]),
      table('Calls', ['Method', 'Path', 'What', 'Parameters', 'Body', 'Answer'], rows), asData('/openapi.json')]);
  }
}
