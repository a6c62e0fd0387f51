// The machines as a heat map: one square each, in order of name, coloured by how much of a dimension is taken.

import { find, percent } from './page.js';

const HEIGHT = 300;
const SQUARE_MAX = 34;
const GAP = 2;

/** The side of the largest squares of which so many fit. */
export function squareSide(count, width, height) {
  for (let side = SQUARE_MAX; side > 3; side--) {
    if (Math.floor(width / side) * Math.floor(height / side) >= count) {
      return side;
    }
  }
  return 3;
}

export const used = (machine, dimension) => {
  const capacity = machine.capacity[dimension] ?? 0;
  return capacity === 0 ? 0 : 1 - (machine.free[dimension] ?? 0) / capacity;
};

export class MachineMap {
  constructor() {
    this.canvas = find('#map canvas');
    this.tip = find('#tip');
    this.machines = [];
    this.canvas.addEventListener('mousemove', event => this.point(event));
    this.canvas.addEventListener('mouseleave', () => { this.tip.hidden = true; });
  }

  dimension() {
    return find('input[name=dimension]:checked').value;
  }

  draw(cell) {
    const byName = (one, other) => one.name.localeCompare(other.name, 'en', { numeric: true });
    this.machines = [...cell.machines.values()].sort(byName);
    this.layOut();
    const colours = this.colours();
    const dimension = this.dimension();
    const paint = this.canvas.getContext('2d');
    paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    paint.clearRect(0, 0, this.width, this.height);
    this.machines.forEach((machine, place) => this.drawSquare(paint, machine, place, dimension, colours));
    this.describe(cell);
  }

  /** As many device pixels as the screen has, so that small squares stay sharp. */
  layOut() {
    this.scale = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.side = squareSide(this.machines.length, this.width, HEIGHT);
    this.columns = Math.max(1, Math.floor(this.width / this.side));
    const rows = Math.ceil(this.machines.length / this.columns);
    this.height = Math.max(this.side, Math.min(HEIGHT, rows * this.side));
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = this.width * this.scale;
    this.canvas.height = this.height * this.scale;
  }

  colours() {
    const style = getComputedStyle(document.documentElement);
    const colour = name => style.getPropertyValue(name).trim();
    return { free: colour('--free'), full: colour('--full'), amber: colour('--amber'), red: colour('--red') };
  }

  drawSquare(paint, machine, place, dimension, colours) {
    const gap = this.side > 8 ? GAP : 1;
    const x = (place % this.columns) * this.side;
    const y = Math.floor(place / this.columns) * this.side;
    const size = this.side - gap;
    paint.globalAlpha = 1;
    paint.fillStyle = machine.status === 'DOWN' ? colours.red : colours.free;
    paint.fillRect(x, y, size, size);
    if (machine.status !== 'DOWN') {
      paint.globalAlpha = used(machine, dimension);
      paint.fillStyle = colours.full;
      paint.fillRect(x, y, size, size);
    }
    if (machine.status === 'DRAINING' || machine.status === 'DRAINED') {
      paint.globalAlpha = 1;
      paint.strokeStyle = colours.amber;
      paint.lineWidth = 2;
      paint.strokeRect(x + 1, y + 1, size - 2, size - 2);
    }
  }

  describe(cell) {
    const total = dimension => {
      let capacity = 0;
      let free = 0;
      for (const machine of cell.machines.values()) {
        if (machine.status !== 'DOWN') {
          capacity += machine.capacity[dimension] ?? 0;
          free += machine.free[dimension] ?? 0;
        }
      }
      return capacity === 0 ? 0 : 1 - free / capacity;
    };
    find('#cpu-used').textContent = percent(total('cpuMilli'));
    find('#memory-used').textContent = percent(total('memoryMib'));
    this.canvas.setAttribute('aria-label',
      `${this.machines.length} machines, cpu ${percent(total('cpuMilli'))} used, memory ${percent(total('memoryMib'))} used`);
  }

  point(event) {
    const column = Math.floor(event.offsetX / this.side);
    const machine = this.machines[Math.floor(event.offsetY / this.side) * this.columns + column];
    this.tip.hidden = !machine || column >= this.columns;
    if (this.tip.hidden) {
      return;
    }
    this.tip.textContent = `${machine.name}  ${machine.status}  cpu ${percent(used(machine, 'cpuMilli'))}`
      + `  memory ${percent(used(machine, 'memoryMib'))}  ${machine.tasks.length} tasks`;
    const right = this.width - this.tip.offsetWidth;
    this.tip.style.left = `${Math.max(0, Math.min(event.offsetX + 12, right))}px`;
    this.tip.style.top = `${event.offsetY + 14}px`;
    find('#machine').textContent = `${machine.name}: ${machine.tasks.length ? machine.tasks.join('  ') : 'holds nothing'}`;
  }
}
