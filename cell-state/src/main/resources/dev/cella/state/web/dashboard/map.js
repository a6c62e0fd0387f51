// The machines as a heat map: one square each, in blocks by an attribute, coloured by how much of a dimension is taken.

import { colour, element, percent, whole } from './page.js';

const HEIGHT_MIN = 180;
const SQUARE_MAX = 34;
const LABEL = 15;
const ZOOM_MAX = 16;

export const used = (machine, dimension) => {
  const capacity = machine.capacity[dimension] ?? 0;
  return capacity === 0 ? 0 : 1 - (machine.free[dimension] ?? 0) / capacity;
};

const ORDER = new Intl.Collator('en', { numeric: true });

export class MachineMap {
  /** @param choose what is done with the machine that a person points at and confirms */
  constructor(choose) {
    this.choose = choose;
    this.zoom = 1;
    this.top = 0;
    this.selected = '';
    this.dimension = element('select', { id: 'map-dimension' });
    this.attribute = element('select', { id: 'map-attribute' });
    this.canvas = element('canvas', { tabIndex: 0, aria: { role: 'img' } });
    this.detail = element('p', { className: 'detail', aria: { role: 'status' }, text: 'Point at a machine, or use the arrow keys.' });
    this.down = element('p', { className: 'detail down-list' });
    this.root = element('div', { className: 'map' }, [
      element('div', { className: 'tools' }, [
        element('label', { text: 'colour ' }, [this.dimension]),
        element('label', { text: 'blocks ' }, [this.attribute]),
        element('span', { className: 'key' }, [element('span', { className: 'ramp', aria: { hidden: 'true' } }), ' free to full']),
        element('span', { className: 'key' }, [element('span', { className: 'swatch draining' }), ' drained']),
        element('span', { className: 'key' }, [element('span', { className: 'swatch crossed' }), ' down']),
      ]),
      this.canvas, this.detail, this.down]);
    this.listen();
  }

  listen() {
    const redraw = () => this.draw(this.cell);
    this.dimension.addEventListener('change', redraw);
    this.attribute.addEventListener('change', () => { this.order = undefined; redraw(); });
    this.canvas.addEventListener('pointermove', event => this.point(this.at(event)));
    this.canvas.addEventListener('click', event => { this.point(this.at(event)); this.open(); });
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
  }

  draw(cell) {
    this.cell = cell;
    if (!cell || !this.root.isConnected) {
      return;
    }
    this.offer(cell);
    this.arrange(cell);
    this.layOut();
    const paint = this.canvas.getContext('2d');
    paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    paint.clearRect(0, 0, this.width, this.height);
    this.paintAll(paint);
    this.describe(cell);
  }

  /** The dimensions and attributes that machines have. */
  offer(cell) {
    const some = [...cell.machines.values()].slice(0, 500);
    const names = of => [...new Set(some.flatMap(machine => Object.keys(of(machine) ?? {})))].sort();
    fill(this.dimension, names(machine => machine.capacity).map(name => [name, name]));
    fill(this.attribute, [['', 'none'], ...names(machine => machine.attributes).map(name => [name, name])]);
    if (this.attribute.dataset.touched === undefined && [...this.attribute.options].some(option => option.value === 'rack')) {
      this.attribute.value = 'rack';
    }
    this.attribute.dataset.touched = '';
  }

  /** Sorting a hundred thousand names takes long, so the order is kept until machines come or go. */
  arrange(cell) {
    const attribute = this.attribute.value;
    if (this.order?.of !== cell || this.order.count !== cell.machines.size || this.order.attribute !== attribute) {
      const names = [...cell.machines.keys()].sort(ORDER.compare);
      const blocks = new Map();
      for (const name of names) {
        const block = attribute ? cell.machines.get(name).attributes?.[attribute] ?? '(none)' : '';
        (blocks.get(block) ?? blocks.set(block, []).get(block)).push(name);
      }
      this.order = { of: cell, count: cell.machines.size, attribute, blocks: [...blocks] };
    }
  }

  layOut() {
    this.scale = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    const most = Math.max(HEIGHT_MIN, Math.min(560, window.innerHeight * 0.5));
    this.side = 2;
    for (let side = SQUARE_MAX; side > 2; side--) {
      if (this.heightAt(side) <= most) {
        this.side = side;
        break;
      }
    }
    this.side = Math.min(SQUARE_MAX, this.side * this.zoom);
    this.columns = Math.max(1, Math.floor(this.width / this.side));
    this.full = this.heightAt(this.side);
    this.height = Math.max(this.side, Math.min(most, this.full));
    this.top = Math.max(0, Math.min(this.top, this.full - this.height));
    this.canvas.style.height = `${this.height}px`;
    this.canvas.width = this.width * this.scale;
    this.canvas.height = this.height * this.scale;
  }

  heightAt(side) {
    const columns = Math.max(1, Math.floor(this.width / side));
    return this.order.blocks.reduce((sum, [label, names]) =>
      sum + (label ? LABEL : 0) + Math.ceil(names.length / columns) * side, 0);
  }

  paintAll(paint) {
    const dimension = this.dimension.value;
    const colours = { free: colour('free'), full: colour('full'), amber: colour('amber'), red: colour('red'), text: colour('soft'), mark: colour('accent') };
    paint.font = '11px system-ui, sans-serif';
    this.places = [];
    let y = -this.top;
    for (const [label, names] of this.order.blocks) {
      if (label) {
        paint.globalAlpha = 1;
        paint.fillStyle = colours.text;
        paint.fillText(label, 0, y + 11);
        y += LABEL;
      }
      this.places.push({ y, names });
      const rows = Math.ceil(names.length / this.columns);
      const first = Math.max(0, Math.floor(-y / this.side));
      const last = Math.min(rows, Math.ceil((this.height - y) / this.side));
      for (let place = first * this.columns; place < Math.min(names.length, last * this.columns); place++) {
        const machine = this.cell.machines.get(names[place]);
        if (machine) {
          this.paintSquare(paint, machine, (place % this.columns) * this.side, y + Math.floor(place / this.columns) * this.side, dimension, colours);
        }
      }
      y += rows * this.side;
    }
  }

  paintSquare(paint, machine, x, y, dimension, colours) {
    const gap = this.side > 8 ? 2 : this.side > 3 ? 1 : 0;
    const size = this.side - gap;
    paint.globalAlpha = 1;
    paint.fillStyle = colours.free;
    paint.fillRect(x, y, size, size);
    if (machine.status === 'DOWN') {
      paint.strokeStyle = colours.red;
      paint.lineWidth = Math.max(1, size / 8);
      paint.strokeRect(x + 1, y + 1, size - 2, size - 2);
      paint.beginPath();
      paint.moveTo(x, y);
      paint.lineTo(x + size, y + size);
      paint.moveTo(x + size, y);
      paint.lineTo(x, y + size);
      paint.stroke();
    } else {
      paint.globalAlpha = used(machine, dimension);
      paint.fillStyle = colours.full;
      paint.fillRect(x, y, size, size);
      paint.globalAlpha = 1;
    }
    if (machine.status === 'DRAINING' || machine.status === 'DRAINED') {
      paint.strokeStyle = colours.amber;
      paint.lineWidth = 2;
      paint.strokeRect(x + 1, y + 1, size - 2, size - 2);
    }
    if (machine.name === this.selected) {
      paint.strokeStyle = colours.mark;
      paint.lineWidth = 2.5;
      paint.strokeRect(x - 0.5, y - 0.5, size + 1, size + 1);
    }
  }

  describe(cell) {
    const counts = { READY: 0, DRAINING: 0, DRAINED: 0, DOWN: 0 };
    const down = [];
    for (const machine of cell.machines.values()) {
      counts[machine.status]++;
      if (machine.status === 'DOWN') {
        down.push(machine.name);
      }
    }
    this.canvas.setAttribute('aria-label', `${whole(cell.machines.size)} machines: ${whole(counts.READY)} ready,`
      + ` ${whole(counts.DRAINING + counts.DRAINED)} drained or draining, ${whole(counts.DOWN)} down`);
    this.down.hidden = down.length === 0;
    this.down.textContent = `down: ${down.sort().slice(0, 12).join(', ')}${down.length > 12 ? ` and ${whole(down.length - 12)} more` : ''}`;
    this.say();
  }

  at(event) {
    for (const { y, names } of this.places ?? []) {
      const column = Math.floor(event.offsetX / this.side);
      const row = Math.floor((event.offsetY - y) / this.side);
      const name = row >= 0 && column < this.columns ? names[row * this.columns + column] : undefined;
      if (name && row * this.columns + column < names.length) {
        return name;
      }
    }
    return undefined;
  }

  point(name) {
    if (name && name !== this.selected) {
      this.selected = name;
      this.draw(this.cell);
    }
  }

  say() {
    const machine = this.cell.machines.get(this.selected);
    this.detail.setAttribute('aria-live', this.said === this.selected ? 'off' : 'polite'); // not at each change of the machine
    this.said = this.selected;
    if (machine) {
      const amounts = Object.keys(machine.capacity).map(name => `${name} ${percent(used(machine, name))}`).join('  ');
      this.detail.textContent = `${machine.name}  ${machine.status}  ${amounts}  ${whole(machine.taskCount)} tasks`;
    }
  }

  open() {
    if (this.cell.machines.has(this.selected)) {
      this.choose(this.selected);
    }
  }

  key(event) {
    const names = this.order.blocks.flatMap(([, block]) => block);
    const place = names.indexOf(this.selected);
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.columns, ArrowUp: -this.columns }[event.key];
    if (step) {
      this.point(names[Math.max(0, Math.min(names.length - 1, place + step))]);
    } else if (event.key === 'Enter') {
      this.open();
    } else if (event.key === '+' || event.key === '-') {
      this.zoomBy(event.key === '+' ? 2 : 0.5);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The row of the selected machine stays where it is, as near as the ends of the map permit. */
  zoomBy(factor) {
    const before = this.rowOf(this.selected);
    this.zoom = Math.max(1, Math.min(ZOOM_MAX, this.zoom * factor));
    this.draw(this.cell);
    if (before !== undefined) {
      this.top += this.rowOf(this.selected) - before;
      this.draw(this.cell);
    }
  }

  /** The top of that machine's row in the window. */
  rowOf(name) {
    for (const { y, names } of this.places ?? []) {
      const place = names.indexOf(name);
      if (place >= 0) {
        return y + Math.floor(place / this.columns) * this.side;
      }
    }
    return undefined;
  }

  /** With Ctrl the wheel zooms; without it moves a map that is higher than its place. */
  wheel(event) {
    if (event.ctrlKey) {
      this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8);
      event.preventDefault();
      return;
    } else if (this.full > this.height) {
      this.top += event.deltaY;
    } else {
      return;
    }
    event.preventDefault();
    this.draw(this.cell);
    this.point(this.at(event));
  }
}

function fill(select, options) {
  const known = [...select.options].map(option => option.value).join();
  if (known !== options.map(([value]) => value).join()) {
    const chosen = select.value;
    select.replaceChildren(...options.map(([value, text]) => element('option', { value, text })));
    if (options.some(([value]) => value === chosen)) {
      select.value = chosen;
    }
  }
}
