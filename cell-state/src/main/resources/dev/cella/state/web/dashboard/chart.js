// A line over time on a canvas, with its newest value in words beside it.

import { colour, element, link, percent, short, whole } from './page.js';

const HEIGHT = 74;
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
    this.figures = new Map(names.map(name => [name, figure(name)]));
    this.root = element('div', { className: 'charts' }, [...this.figures.values()].map(figure => figure.root));
  }

  draw(series, until) {
    for (const [name, figure] of this.figures) {
      const known = series.get(name);
      if (known) {
        const points = until ? known.points.filter(point => point.version <= until) : known.points;
        drawFigure(figure, points, known.unit);
      }
    }
  }
}

function figure(name) {
  const value = element('b', { text: '-' });
  const most = element('span', { className: 'soft' });
  const canvas = element('canvas', { aria: { role: 'img', label: NAMES[name] } });
  const root = element('figure', { className: `chart of-${name}` }, [
    element('figcaption', {}, [VIEWS[name] ? link(NAMES[name], VIEWS[name]) : element('span', { text: NAMES[name] }), value, most]), canvas]);
  return { name, value, most, canvas, root };
}

function drawFigure({ name, value, most, canvas, root }, points, unit) {
  const values = points.map(point => point.value).filter(one => one !== undefined);
  const top = unit === 'fraction' ? 1 : Math.max(1e-9, ...values);
  const newest = shown(unit, points.at(-1)?.value);
  value.textContent = newest;
  most.textContent = values.length > 0 ? `most ${shown(unit, Math.max(...values))}` : '';
  canvas.setAttribute('aria-label', `${NAMES[name]}: ${newest} now, ${most.textContent}`);
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
  const y = point => HEIGHT - 3 - point.value / top * (HEIGHT - 8);
  paint.strokeStyle = getComputedStyle(root).color;
  paint.lineWidth = 1.5;
  paint.beginPath();
  let drawing = false;
  for (const point of points) {
    if (point.value === undefined) {
      drawing = false;
    } else {
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
