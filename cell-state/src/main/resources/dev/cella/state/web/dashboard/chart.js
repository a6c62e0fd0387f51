// A line over time on a canvas, with its newest value in words beside it.

import { colour, element, link, percent, short, whole } from './page.js';

const HEIGHT = 74;
const STEP_MILLIS = 10000;
const NAMES = {
  placements: 'Placements', conflicts: 'Conflicts', pending: 'Pending', running: 'Running',
  utilisation: 'CPU claimed', latency: 'Wait for a place',
};

/** The view that has the rows behind a line, where there is one. */
const VIEWS = {
  conflicts: '#/conflicts', pending: '#/tasks?state=PENDING', running: '#/tasks?state=RUNNING', utilisation: '#/machines',
};

const shown = (unit, value) => {
  if (value === undefined) {
    return '-';
  }
  switch (unit) {
    case 'fraction': return percent(value);
    case '1/s': return `${short(value)}/s`;
    case 'tasks': return `${whole(Math.ceil(value))} tasks`; // an older point is a mean
    default: return `${short(value)} ${unit}`;
  }
};

/** One small chart for each series; made once and drawn again with each second's points. */
export class Charts {
  constructor(names) {
    this.figures = new Map(names.map(name => [name, figure(name, NAMES[name], VIEWS[name])]));
    this.root = element('div', { className: 'charts' }, [...this.figures.values()].map(figure => figure.root));
  }

  draw(series, until) {
    for (const [name, figure] of this.figures) {
      const known = series.get(name);
      if (known) {
        const shownPoints = until ? known.points.filter(point => point.version <= until) : known.points;
        const points = evened(shownPoints);
        const top = known.unit === 'fraction' ? 1 : undefined;
        drawFigure(figure, points, { top, words: value => shown(known.unit, value), now: shownPoints.at(-1)?.value });
      }
    }
  }
}

/** How much of a machine was claimed, a chart for each dimension. A point is valid until the next one; the top is the capacity. */
export class ClaimedCharts {
  constructor() {
    this.figures = new Map();
    this.root = element('div', { className: 'charts' });
  }

  draw(series, capacity) {
    for (const [name, points] of series) {
      if (!this.figures.has(name)) {
        this.figures.set(name, figure(name, name));
        this.root.append(this.figures.get(name).root);
      }
      drawFigure(this.figures.get(name), points, { top: Math.max(1, capacity[name] ?? 0), words: value => value === undefined ? '-' : whole(value), isStepped: true,
        of: ` of ${whole(capacity[name] ?? 0)}` });
    }
  }
}

/** The mean of each ten seconds: points that came while the page was open are closer together than the older ones. */
function evened(points) {
  const steps = new Map();
  for (const point of points) {
    const step = Math.floor(Date.parse(point.at) / STEP_MILLIS);
    const gathered = steps.get(step) ?? { sum: 0, count: 0 };
    gathered.at = point.at;
    if (point.value !== undefined) {
      gathered.sum += point.value;
      gathered.count++;
    }
    steps.set(step, gathered);
  }
  return [...steps.values()].map(({ at, sum, count }) => ({ at, value: count === 0 ? undefined : sum / count }));
}

function figure(name, title, view) {
  const value = element('b', { text: '-' });
  const most = element('span', { className: 'soft' });
  const canvas = element('canvas', { aria: { role: 'img', label: title } });
  const root = element('figure', { className: `chart of-${name}` }, [
    element('figcaption', {}, [view ? link(title, view) : element('span', { text: title }), value, most]), canvas]);
  return { title, value, most, canvas, root };
}

/** @param top the value at the upper edge; the largest one if absent */
function drawFigure({ title, value, most, canvas, root }, points, { top, words, isStepped = false, of = '', now = points.at(-1)?.value }) {
  const values = points.map(point => point.value).filter(one => one !== undefined);
  const largest = values.reduce((one, other) => Math.max(one, other), 0);
  const highest = Math.max(top ?? 1e-9, largest);
  const newest = words(now) + of;
  value.textContent = newest;
  most.textContent = values.length > 0 ? `most ${words(largest)}` : '';
  canvas.setAttribute('aria-label', `${title}: ${newest} now, ${most.textContent}`);
  const scale = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  if (width === 0 || points.length === 0) {
    return;
  }
  canvas.width = width * scale;
  canvas.height = HEIGHT * scale;
  const paint = canvas.getContext('2d');
  paint.scale(scale, scale);
  const from = Date.parse(points[0].at);
  const span = Math.max(1000, Date.parse(points.at(-1).at) - from);
  const x = point => (Date.parse(point.at) - from) / span * (width - 2) + 1;
  const y = point => HEIGHT - 3 - point.value / highest * (HEIGHT - 8);
  paint.strokeStyle = getComputedStyle(root).color;
  paint.lineWidth = 1.5;
  paint.beginPath();
  let drawing = false;
  let before;
  for (const point of points) {
    if (point.value === undefined) {
      drawing = false;
    } else {
      if (drawing && isStepped) {
        paint.lineTo(x(point), y(before));
      }
      before = point;
      drawing ? paint.lineTo(x(point), y(point)) : paint.moveTo(x(point), y(point));
      drawing = true;
    }
  }
  paint.stroke();
  paint.strokeStyle = colour('line');
  paint.lineWidth = 1;
  paint.beginPath();
  paint.moveTo(0, HEIGHT - 1.5);
  paint.lineTo(width, HEIGHT - 1.5);
  paint.stroke();
}
