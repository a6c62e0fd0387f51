// The machines as a heat map: one square each, in blocks by an attribute, coloured by how much of a dimension is taken.

import { colour, element, ORDER, percent, whole } from './page.js';

const HEIGHT_MIN = 180;
const SIDE_MIN = 2;
const SQUARE_MAX = 34;
const LABEL = 15;
const LABELLED_MIN = 5;
const BARRED_MIN = 8;
const ZOOM_MAX = 16;

export const used = (machine, dimension) => {
  const capacity = machine.capacity[dimension] ?? 0;
  return capacity === 0 ? 0 : 1 - (machine.free[dimension] ?? 0) / capacity;
};

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
    this.mark = element('canvas', { className: 'over', aria: { hidden: 'true' } });
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
      element('div', { className: 'layers' }, [this.canvas, this.mark]), this.detail, this.down]);
    this.listen();
  }

  listen() {
    const redraw = () => this.draw(this.cell);
    this.dimension.addEventListener('change', redraw);
    this.attribute.addEventListener('change', () => { this.order = undefined; redraw(); });
    this.canvas.addEventListener('pointermove', event => this.point(this.at(event)));
    this.canvas.addEventListener('click', event => this.click(event));
    this.canvas.addEventListener('keydown', event => this.key(event));
    this.canvas.addEventListener('wheel', event => this.wheel(event), { passive: false });
  }

  /** Paints all squares only if they are laid out or coloured anew; otherwise those of machines that have changed. */
  draw(cell) {
    this.cell = cell;
    if (!cell || !this.root.isConnected) {
      return;
    }
    this.offer(cell);
    this.arrange(cell);
    this.layOut();
    const colours = { free: colour('free'), full: colour('full'), amber: colour('amber'), red: colour('red'), text: colour('soft'), mark: colour('accent') };
    const painted = JSON.stringify([this.width, this.height, this.scale, this.side, this.top, this.dimension.value, colours]);
    const isNew = painted !== this.painted || this.places !== this.paintedPlaces;
    this.painted = painted;
    this.paintedPlaces = this.places;
    const paint = this.canvas.getContext('2d');
    if (isNew) {
      size(this.canvas, this);
      size(this.mark, this);
      paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
      this.paintLabels(paint, colours);
    }
    this.paintSquares(paint, colours, isNew);
    this.paintMark(colours);
    this.describe(cell);
  }

  /** The dimensions and attributes that machines have. */
  offer(cell) {
    const some = firstOf(cell.machines.values(), 500);
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
    if (this.order?.of !== cell || this.order.members !== cell.members || this.order.attribute !== attribute) {
      const names = [...cell.machines.keys()].sort(ORDER.compare);
      const blocks = new Map();
      for (const name of names) {
        const block = attribute ? cell.machines.get(name).attributes?.[attribute] ?? '(none)' : '';
        (blocks.get(block) ?? blocks.set(block, []).get(block)).push(name);
      }
      this.order = { of: cell, members: cell.members, attribute, blocks: [...blocks] };
    }
  }

  /** The largest squares with which the map fits, in blocks as wide as the map or several beside each other. */
  layOut() {
    this.scale = window.devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    const most = Math.max(HEIGHT_MIN, Math.min(560, window.innerHeight * 0.5));
    const asked = JSON.stringify([this.width, most, this.zoom]);
    if (this.laidOut !== asked || this.laidOutOrder !== this.order) {
      this.laidOut = asked;
      this.laidOutOrder = this.order;
      this.place(most);
      this.height = Math.max(this.side, Math.min(most, this.full));
    }
    this.top = Math.max(0, Math.min(this.top, this.full - this.height));
  }

  place(most) {
    const { blocks } = this.order;
    const fits = (way, side) => way(blocks, this.width, side).height <= most;
    let way = blocks.length > 1 ? besideEachOther : belowEachOther;
    let side = SIDE_MIN;
    for (let larger = SQUARE_MAX; larger > SIDE_MIN; larger--) {
      const found = [belowEachOther, besideEachOther].find(each => fits(each, larger));
      if (found) {
        way = found;
        side = larger;
        break;
      }
    }
    this.side = Math.min(SQUARE_MAX, side * this.zoom);
    const { places, height } = way(blocks, this.width, this.side);
    this.places = places;
    this.full = height;
  }

  paintLabels(paint, colours) {
    paint.clearRect(0, 0, this.width, this.height);
    paint.font = '11px system-ui, sans-serif';
    paint.fillStyle = colours.text;
    for (const { label, labelled, x, y, columns } of this.places) {
      if (labelled) {
        paint.fillText(label, x, y - this.top - LABEL + 11, columns * this.side);
      }
    }
  }

  paintSquares(paint, colours, all) {
    const dimension = this.dimension.value;
    for (const block of this.places) {
      const y = block.y - this.top;
      const first = Math.max(0, Math.floor(-y / this.side)) * block.columns;
      const last = Math.min(block.names.length, Math.ceil((this.height - y) / this.side) * block.columns);
      if (all) {
        block.shown = [];
      }
      for (let place = first; place < last; place++) {
        const machine = this.cell.machines.get(block.names[place]);
        if (machine && machine !== block.shown[place]) {
          block.shown[place] = machine;
          this.paintSquare(paint, machine, block.x + (place % block.columns) * this.side, y + Math.floor(place / block.columns) * this.side, dimension, colours);
        }
      }
    }
  }

  paintSquare(paint, machine, x, y, dimension, colours) {
    const size = this.squareSize();
    paint.globalAlpha = 1;
    paint.clearRect(x, y, this.side, this.side);
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
      if (size >= BARRED_MIN) { // for whoever does not see the colour of the frame
        paint.clearRect(x + 2, y + size * 0.3, size - 4, size * 0.4);
        paint.fillStyle = colours.amber;
        paint.fillRect(x + 2, y + size * 0.42, size - 4, size * 0.16);
      }
    }
  }

  squareSize() {
    return this.side - (this.side > 8 ? 2 : this.side > 3 ? 1 : 0);
  }

  /** The frame around the selected machine, on a canvas of its own: to move it costs nothing but itself. */
  paintMark(colours) {
    const paint = this.mark.getContext('2d');
    paint.setTransform(this.scale, 0, 0, this.scale, 0, 0);
    paint.clearRect(0, 0, this.width, this.height);
    const at = this.squareOf(this.selected);
    if (at) {
      paint.strokeStyle = colours.mark;
      paint.lineWidth = 2.5;
      paint.strokeRect(at.x - 0.5, at.y - this.top - 0.5, this.squareSize() + 1, this.squareSize() + 1);
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
    const y = event.offsetY + this.top;
    for (const block of this.places ?? []) {
      const column = Math.floor((event.offsetX - block.x) / this.side);
      const row = Math.floor((y - block.y) / this.side);
      if (row >= 0 && column >= 0 && column < block.columns && row * block.columns + column < block.names.length) {
        return block.names[row * block.columns + column];
      }
    }
    return undefined;
  }

  point(name) {
    if (name && name !== this.selected) {
      this.selected = name;
      this.paintMark({ mark: colour('accent') });
      this.say();
    }
  }

  say() {
    const machine = this.cell.machines.get(this.selected);
    this.detail.setAttribute('aria-live', this.said === this.selected ? 'off' : 'polite'); // not at each change of the machine
    this.said = this.selected;
    if (machine) {
      const amounts = Object.keys(machine.capacity).map(name => `${name} ${percent(used(machine, name))}`).join('  ');
      const attribute = this.attribute.value;
      const block = attribute ? `${attribute}=${machine.attributes?.[attribute] ?? '(none)'}  ` : '';
      this.detail.textContent = `${machine.name}  ${machine.status}  ${block}${amounts}  ${whole(machine.taskCount)} tasks`;
    }
  }

  open() {
    if (this.cell.machines.has(this.selected)) {
      this.choose(this.selected);
    }
  }

  click(event) {
    const name = this.at(event);
    if (name) {
      this.point(name);
      this.open();
    }
  }

  key(event) {
    const steps = { ArrowRight: () => this.beside(1), ArrowLeft: () => this.beside(-1), ArrowDown: () => this.over(1), ArrowUp: () => this.over(-1) };
    if (steps[event.key]) {
      this.point(steps[event.key]());
      this.scrollToSelected();
    } else if (event.key === 'Enter') {
      this.open();
    } else if (event.key === '+' || event.key === '-') {
      this.zoomBy(event.key === '+' ? 2 : 0.5);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** The next machine or the one before, also across blocks. */
  beside(step) {
    const at = this.squareOf(this.selected);
    if (!at) {
      return this.places[0]?.names[0];
    }
    const number = this.places.indexOf(at.block);
    return at.block.names[at.place + step] ?? this.places[number + step]?.names.at(step > 0 ? 0 : -1);
  }

  /** The machine in the next row or the one before; past the end of a block, the nearest one of the blocks there. */
  over(step) {
    const at = this.squareOf(this.selected);
    if (!at) {
      return this.places[0]?.names[0];
    }
    const { block, place } = at;
    const row = Math.floor(place / block.columns) + step;
    const rows = rowsOf(block);
    if (row >= 0 && row < rows) {
      return block.names[Math.min(block.names.length - 1, place + step * block.columns)];
    }
    const inWay = this.places.filter(each => step > 0 ? each.y > block.y + (rows - 1) * this.side : each.y + rowsOf(each) * this.side <= block.y);
    const distance = each => Math.abs(each.y - block.y) + Math.abs(Math.max(each.x - at.x, 0, at.x - each.x - (each.columns - 1) * this.side));
    const next = inWay.sort((one, other) => distance(one) - distance(other))[0];
    if (!next) {
      return undefined;
    }
    const column = Math.max(0, Math.min(next.columns - 1, Math.round((at.x - next.x) / this.side)));
    return next.names[Math.min(next.names.length - 1, (step > 0 ? 0 : rowsOf(next) - 1) * next.columns + column)];
  }

  scrollToSelected() {
    const at = this.squareOf(this.selected);
    const top = at && Math.min(at.y, Math.max(this.top, at.y + this.side - this.height));
    if (at && top !== this.top) {
      this.top = top;
      this.draw(this.cell);
    }
  }

  /** The row of the selected machine stays where it is, as near as the ends of the map permit. */
  zoomBy(factor) {
    const before = this.squareOf(this.selected);
    const { top } = this;
    this.zoom = Math.max(1, Math.min(ZOOM_MAX, this.zoom * factor));
    if (before) {
      this.layOut();
      this.top = top + this.squareOf(this.selected).y - before.y;
    }
    this.draw(this.cell);
  }

  /** The place of that machine's square on the whole map. */
  squareOf(name) {
    for (const block of name ? this.places ?? [] : []) {
      const place = block.names.indexOf(name);
      if (place >= 0) {
        return { block, place, x: block.x + (place % block.columns) * this.side, y: block.y + Math.floor(place / block.columns) * this.side };
      }
    }
    return undefined;
  }

  /** With Ctrl the wheel zooms; without it moves a map that is higher than its place, and at the map's end the page. */
  wheel(event) {
    if (event.ctrlKey) {
      this.zoomBy(event.deltaY < 0 ? 1.25 : 0.8);
      event.preventDefault();
    } else if (this.full > this.height) {
      const { top } = this;
      this.top = Math.max(0, Math.min(top + event.deltaY, this.full - this.height));
      if (this.top !== top) {
        event.preventDefault();
        this.draw(this.cell);
        this.point(this.at(event));
      }
    }
  }
}

const rowsOf = block => Math.ceil(block.names.length / block.columns);

/** Each block has whole rows of the map. */
function belowEachOther(blocks, width, side) {
  const columns = Math.max(1, Math.floor(width / side));
  let height = 0;
  const places = blocks.map(([label, names]) => {
    const y = height + (label ? LABEL : 0);
    height = y + Math.ceil(names.length / columns) * side;
    return { label, labelled: label !== '', names, x: 0, y, columns };
  });
  return { places, height };
}

/** Blocks twice as wide as high, in lines like words. Small squares leave no room for names: the line below the map has them. */
function besideEachOther(blocks, width, side) {
  const columnsMax = Math.max(1, Math.floor(width / side));
  const labelled = side >= LABELLED_MIN;
  const gap = labelled ? 8 : side;
  let x = 0;
  let top = 0;
  let height = 0;
  const places = blocks.map(([label, names]) => {
    const columns = Math.min(columnsMax, Math.ceil(Math.sqrt(2 * names.length)));
    if (x > 0 && x + columns * side > width) {
      x = 0;
      top = height + gap;
    }
    const place = { label, labelled: labelled && label !== '', names, x, y: top + (labelled ? LABEL : 0), columns };
    x += columns * side + gap;
    height = Math.max(height, place.y + Math.ceil(names.length / columns) * side);
    return place;
  });
  return { places, height };
}

function size(canvas, { width, height, scale }) {
  canvas.style.height = `${height}px`;
  canvas.width = width * scale;
  canvas.height = height * scale;
}

function firstOf(values, most) {
  const first = [];
  for (const value of values) {
    if (first.length === most) {
      break;
    }
    first.push(value);
  }
  return first;
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
