// One job: why it waits and what would help, its groups and tasks, its attempts over time, and the output of a task.

import { promoteJob, restartTask, revertJob, scaleJob, stopJob } from './actions.js';
import { address, ask, part, Problem, stream } from './api.js';
import { ALL_KEPT } from './conflicts.js';
import { taskBar } from './overview.js';
import { amounts, asData, asPage, button, colour, element, heading, link, meter, percent, problemPage, replace, table, usage, waiting, whole } from './page.js';
import { Poll } from './poll.js';
import { lanes, stepTable } from './timeline.js';

const TASKS_MAX = 5000;
const LOG_CHARACTERS_MAX = 200000;
const GRID = 14;
const ON_MACHINE = new Set(['PLACED', 'RUNNING', 'STOPPING']);
const STATE_COLOURS = { PENDING: 'free', PLACED: 'pale', RUNNING: 'accent', STOPPING: 'amber', FINISHED: 'green', FAILED: 'red', KILLED: 'soft', PREEMPTED: 'amber', LOST: 'red' };
const STATE_LETTERS = { PENDING: 'p', PLACED: 'P', RUNNING: 'R', STOPPING: 'S', FINISHED: 'F', FAILED: 'X', KILLED: 'K', PREEMPTED: 'E', LOST: 'L' };

/** What would help against one reason why tasks are not placed. */
export function help(reason, group) {
  const asked = group.asked?.[reason.dimension];
  const largest = group.largestFree?.free?.[reason.dimension];
  const amounts = `each task asks ${whole(asked ?? 0)} ${reason.dimension}`;
  return {
    TOO_SMALL: () => `${amounts}, more than these machines have at all: ask for less, or add larger machines.`,
    LACKS: () => `${amounts}${largest === undefined ? '' : `, the most that is free is ${whole(largest)} on ${group.largestFree.machine}`}: `
      + 'wait for something to end, ask for less, or add machines.',
    NOT_READY: () => `${reason.detail ?? 'these machines take nothing new'}: cella machine ready NAME, or start their agents.`,
    EXCLUDED: () => `they do not meet ${reason.detail ?? 'a constraint'}: without that rule they would count.`,
    HELD: () => `${reason.detail ?? 'others'}: the room is held until that is placed, or the hold expires.`,
    AFTER: () => 'it starts when those groups have finished.',
    RUNNING_MAX: () => 'the job runs as many at once as its runningMax allows: raise it, or wait.',
    OPTIONS: () => `the scheduler does not understand the job's options${reason.detail ? `: ${reason.detail}` : ''}.`,
  }[reason.reason]?.() ?? (reason.detail ?? '');
}

export class Job {
  constructor(go, query, [name]) {
    this.go = go;
    this.name = name;
    this.task = query.get('task') ?? '';
    this.followed = { of: '' };
    this.parts = Object.fromEntries(['summary', 'update', 'usage', 'explain', 'groups', 'grid', 'lanes', 'steps', 'selected'].map(part => [part, element('div')]));
    this.log = element('pre', { className: 'log', tabIndex: 0, aria: { role: 'log', label: 'output' } });
    this.canvas = element('canvas', { className: 'grid', tabIndex: 0, aria: { role: 'img' } });
    this.canvas.addEventListener('click', event => this.choose(event));
    this.gridNote = element('p', { className: 'detail' });
    this.parts.grid.append(this.canvas, this.gridNote);
    const path = `/v1/jobs/${part(name)}`;
    this.root = element('div', { className: 'job' }, [
      element('section', {}, [heading(name), this.parts.summary, this.parts.update, this.parts.usage, this.parts.explain, asData(path, 'answer', 'the job:')]),
      element('section', {}, [heading('Groups'), this.parts.groups, asData(path, 'groups'), heading('Tasks'), this.parts.grid,
        asPage('/v1/tasks', { job: name }, link('as a list', address('#/tasks', { job: name })))]),
      element('section', { className: 'broad' }, [heading('Attempts over time'), this.parts.lanes, asData(`/v1/timeline?job=${part(name)}`, 'steps')]),
      element('section', { className: 'broad' }, [heading('Output'), this.parts.selected, this.log]),
      element('section', { className: 'broad' }, [element('details', {}, [element('summary', { text: 'Every step' }), this.parts.steps]),
        asData(`/v1/timeline?job=${part(name)}`, 'steps')]),
    ]);
    this.poll = new Poll(get => this.load(get), problem => this.refused(problem), problem => replace(this.parts.summary, waiting(problem)));
  }

  close() {
    this.poll.close();
    this.logAbort?.abort();
  }

  async load(get) {
    const path = `/v1/jobs/${part(this.name)}`;
    const job = await get(path);
    replace(this.parts.update, updateProgress(job));
    replace(this.parts.usage, job.usage ? usage(job.usage) : element('div'));
    const isChanged = this.changedVersion !== job.changedVersion;
    if (isChanged || job.tasks.pending > 0) {
      const hasOtherTasks = isChanged || this.isQueued; // the queues of machines change without the job
      const [explanation, timeline, tasks] = await Promise.all([
        get(`${path}:explain`), get(`/v1/timeline?job=${part(this.name)}`), hasOtherTasks ? this.tasks(get) : this.allTasks]);
      this.isQueued = explanation.groups.some(group => group.queued > 0);
      this.taskBeyond = await this.namedTask(get, tasks);
      this.changedVersion = job.changedVersion;
      this.job = job;
      this.allTasks = tasks;
      this.timeline = timeline;
      this.show(job, explanation, timeline);
    } else if (isLive(job)) {
      replace(this.parts.lanes, lanes(this.timeline.steps)); // what runs on grows
    }
    this.select();
  }

  refused(problem) {
    this.close();
    if (problem.status === 404) {
      this.gone(problem);
    } else {
      this.root.replaceChildren(problemPage(problem, [link('the overview', '#/')]));
    }
  }

  /** A job that is gone may still have its past. */
  async gone(problem) {
    const ways = [link('all jobs', '#/jobs'), link('its conflicts', address('#/conflicts', { window: ALL_KEPT, task: this.name }))];
    this.root.replaceChildren(problemPage(problem, ways));
    try {
      const timeline = await ask(`/v1/timeline?job=${part(this.name)}`);
      this.root.append(element('section', {}, [heading('What is still known of it'), lanes(timeline.steps), stepTable(timeline.steps)]));
    } catch {
      // Nothing is kept of it: the page above says all there is.
    }
  }

  /** The server keeps the rest of such a list for a minute in place of others, so it is asked for only if it may have changed. */
  async tasks(get) {
    const tasks = [];
    let token;
    do {
      const page = await get(address('/v1/tasks', token ? { pageToken: token, limit: 1000 } : { job: this.name, limit: 1000 }));
      tasks.push(...page.tasks);
      token = page.nextPageToken;
    } while (token && tasks.length < TASKS_MAX);
    return tasks;
  }

  /** The task that the address names, if it may be one beyond those that were read. */
  async namedTask(get, tasks) {
    if (tasks.length < TASKS_MAX || !this.task.startsWith(`${this.name}/`) || tasks.some(each => each.task === this.task)) {
      return undefined;
    }
    try {
      return await get(`/v1/tasks/${this.task.split('/').map(part).join('/')}`);
    } catch (problem) {
      if (problem instanceof Problem && !problem.isPassing) {
        return undefined;
      }
      throw problem;
    }
  }

  show(job, explanation, timeline) {
    const summary = element('div', {}, [
      element('p', { className: 'summary', text: `${job.state}${job.reason ? `: ${job.reason}` : ''}` }),
      taskBar(job),
      element('p', { className: 'soft', text: `${job.type}, generation ${job.generation}, ${whole(job.attempts)} ${Number(job.attempts) === 1 ? 'attempt' : 'attempts'} to place, ${whole(job.conflicts)} with a conflict` }),
      element('p', {}, [link(`scheduler ${job.scheduler}`, `#/schedulers/${part(job.scheduler)}`), ' ',
        link('its conflicts', address('#/conflicts', { window: ALL_KEPT, task: job.name })), ' ',
        ...(isLive(job) ? [button('stop', () => stopJob(job.name), { className: 'danger' })] : [])]),
    ]);
    replace(this.parts.summary, summary);
    replace(this.parts.explain, explain(job.name, explanation));
    replace(this.parts.groups, table('Groups', ['Group', ['Tasks', 'number'], 'Each asks', 'States', 'Change'], job.groups.map(group => [
      group.name, whole(group.count), amounts(group.resources),
      Object.entries(group.tasks).filter(([, count]) => count > 0).map(([state, count]) => `${whole(count)} ${state}`).join(', '),
      isLive(job) ? button('scale', () => scaleJob(job.name, group.name, group.count)) : ''])));
    replace(this.parts.lanes, lanes(timeline.steps));
    replace(this.parts.steps, stepTable(timeline.steps));
    this.drawGrid();
  }

  /** Called whenever the page may look different: the squares are painted again if they do. */
  draw() {
    if (this.job && this.drawnLooks !== this.looks()) {
      this.drawGrid();
    }
  }

  looks() {
    return `${this.canvas.clientWidth} ${window.devicePixelRatio} ${colour('text')}`;
  }

  /** A square for each task, by its state in colour and letter. */
  drawGrid() {
    this.drawnLooks = this.looks();
    const scale = window.devicePixelRatio || 1;
    const width = this.canvas.clientWidth || 300;
    this.columns = Math.max(1, Math.floor(width / GRID));
    const height = Math.ceil(this.allTasks.length / this.columns) * GRID;
    this.canvas.style.height = `${height}px`;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const paint = this.canvas.getContext('2d');
    paint.scale(scale, scale);
    paint.font = '9px system-ui, sans-serif';
    this.allTasks.forEach((task, place) => {
      const x = (place % this.columns) * GRID;
      const y = Math.floor(place / this.columns) * GRID;
      paint.fillStyle = colour(STATE_COLOURS[task.state]);
      paint.fillRect(x, y, GRID - 2, GRID - 2);
      paint.fillStyle = colour(task.state === 'PENDING' || task.state === 'PLACED' ? 'text' : 'panel');
      paint.fillText(STATE_LETTERS[task.state], x + 3, y + 9);
    });
    const states = Object.entries(this.job.tasks).filter(([, count]) => count > 0).map(([state, count]) => `${whole(count)} ${state}`).join(', ');
    this.canvas.setAttribute('aria-label', `tasks: ${states}`);
    this.gridNote.textContent = `${Object.entries(STATE_LETTERS).filter(([state]) => this.job.tasks[state.toLowerCase()] > 0)
      .map(([state, letter]) => `${letter} ${state.toLowerCase()}`).join(', ')}${this.allTasks.length >= TASKS_MAX ? `; the first ${whole(TASKS_MAX)}` : ''}`;
  }

  choose(event) {
    const task = this.allTasks[Math.floor(event.offsetY / GRID) * this.columns + Math.floor(event.offsetX / GRID)];
    if (task) {
      history.replaceState(null, '', address(location.hash.split('?')[0], { task: task.task }));
      this.task = task.task;
      this.select();
    }
  }

  /** Follows the output of the task's newest attempt that was placed, and again after the stream broke off. */
  select() {
    const name = this.task || this.allTasks.find(task => task.attempt > 0)?.task || '';
    const task = this.allTasks.find(each => each.task === name) ?? (this.taskBeyond?.task === name ? this.taskBeyond : undefined);
    if (!task) {
      replace(this.parts.selected, element('p', { className: 'empty', text: name ? `There is no task ${name}.` : 'No task has started yet.' }));
      return;
    }
    const attempt = task.state === 'PENDING' ? task.attempt - 1 : task.attempt; // the one to come has printed nothing
    replace(this.parts.selected, element('p', {}, [
      `${task.task}  ${task.state}${task.reason && task.reason !== task.state ? ` ${task.reason}` : ''}${task.exitCode === undefined ? '' : `, exit code ${task.exitCode}`}`
        + `, attempt ${task.attempt}${attempt > 0 && attempt < task.attempt ? ` (below is the output of attempt ${attempt})` : ''}${task.spare ? ', spare work' : ''} `, ...(task.queuedOn ?? []).flatMap((machine, place) => [place === 0 ? 'in the queues of ' : ' ', link(machine, `#/machines/${part(machine)}`)]),
      task.machine ? link(task.machine, `#/machines/${part(task.machine)}`) : '', ' ',
      task.state === 'RUNNING' || task.state === 'PLACED' ? button('restart', () => restartTask(task, this.job.scheduler)) : '']));
    const { of, isOver, problem } = this.followed;
    if (attempt > 0 && !document.hidden && (of !== `${name} ${attempt}` || (isOver && mayShowMore(task.state, problem)))) {
      this.follow(name, attempt);
    }
  }

  followWhileSeen() {
    if (document.hidden) {
      this.logAbort?.abort();
    } else if (this.allTasks) {
      this.select();
    }
  }

  /** What was read of the same attempt stays until there is something else to show. */
  async follow(task, attempt) {
    const of = `${task} ${attempt}`;
    if (this.followed.of !== of) {
      this.log.textContent = '';
    }
    this.logAbort?.abort();
    this.logAbort = new AbortController();
    const followed = { of };
    this.followed = followed;
    let read = '';
    try {
      await stream(address(`/v1/tasks/${task}:logs`, { attempt, stream: 'both', tail: 500, follow: true }), this.logAbort.signal, text => {
        const atEnd = this.log.scrollTop + this.log.clientHeight + 30 > this.log.scrollHeight;
        read = (read + text).slice(-LOG_CHARACTERS_MAX);
        this.log.textContent = read;
        if (atEnd) {
          this.log.scrollTop = this.log.scrollHeight;
        }
      });
      this.log.textContent = read || '(it wrote nothing)';
    } catch (problem) {
      followed.problem = problem;
      if (problem instanceof Problem && this.followed === followed) {
        this.log.textContent = `${problem.message}. ${problem.hint}`;
      }
    }
    followed.isOver = true;
  }
}

/** True if output whose stream has ended may have more: not if all of it was read, and not if it was refused for good. */
function mayShowMore(state, problem) {
  if (!problem || problem.status === 404) {
    return ON_MACHINE.has(state);
  }
  return problem instanceof Problem ? state !== 'PENDING' && problem.isPassing : true;
}

/** How far an update has come: the tasks on machines by the generation that they were placed for. */
function updateProgress(job) {
  const { name, generation, generations = [], update, revertedTo, awaitsPromotion } = job;
  if (generations.length < 2 && !update && !revertedTo) {
    return element('div');
  }
  const all = generations.reduce((sum, each) => sum + Number(each.tasks), 0);
  return element('div', { className: 'update' }, [
    heading(`Update to generation ${generation}`),
    update ? element('p', { text: update }) : undefined,
    revertedTo ? element('p', { className: 'soft', text: `It is the same as generation ${revertedTo}.` }) : undefined,
    table('Tasks on machines by generation', ['Generation', 'Of the tasks on machines', ['Tasks', 'number'], ['Running', 'number']],
      generations.map(each => [whole(each.generation), meter(each.tasks / all, percent(each.tasks / all)), whole(each.tasks), whole(each.running ?? 0)]),
      'No task of it is on a machine.'),
    asData(`/v1/jobs/${part(name)}`, 'generations', 'generations:'),
    awaitsPromotion ? element('p', { className: 'buttons' }, [button('promote', () => promoteJob(name)), button('revert', () => revertJob(job), { className: 'danger' })]) : undefined,
  ]);
}

const isLive = job => ['PENDING', 'RUNNING', 'STOPPING'].includes(job.state);

function explain(name, explanation) {
  const path = `/v1/jobs/${part(name)}:explain`;
  const waiting = explanation.groups.filter(group => group.pending > 0);
  if (waiting.length === 0) {
    return element('p', { text: explanation.summary });
  }
  return element('div', { className: 'explain' }, [
    element('p', { className: 'summary', text: explanation.summary }),
    ...waiting.map(group => element('div', {}, [
      element('p', { text: `${group.group}: ${whole(group.pending)} pending${group.queued ? `, ${whole(group.queued)} of them in the queues of machines` : ''}` }),
      group.queues ? table('Queues', ['Machine', ['Its tasks there', 'number'], ['Others before them', 'number'], 'The head waits for'], group.queues.map(queue => [
        link(queue.machine, `#/machines/${part(queue.machine)}`), whole(queue.tasks), whole(queue.before), queue.headLacks ?? '-'])) : undefined,
      group.queues ? asData(path, 'groups.queues', 'queues:') : undefined,
      group.reasons.length > 0 ? table('Why, and what would help', ['Why', ['Machines', 'number'], 'What would help'], group.reasons.map(reason => [
        `${reason.reason}${reason.dimension ? ` ${reason.dimension}` : ''}`, whole(reason.machines), help(reason, group)])) : undefined])),
    asData(path, 'groups.reasons', 'reasons:'),
    explanation.wakesOn.length > 0 ? element('p', { className: 'soft', text: `It waits for ${explanation.wakesOn.join(', or ')}.` }) : undefined,
  ]);
}
