/**
 * The table in whole millimetres, exact as pbem/rulesets/magic/geometry.py is (M1.1, M1.4).
 *
 * Every number here is whole and below 2^53, but for one product that is worked out with BigInt.
 */

/**
 * @typedef {[number, number]} Point
 * @typedef {{ size: Point, walls: Point[][], shyOf: [Point, number][] }} Limits
 */

/**
 * Up the table, where straight away from a point means nothing (M2.10).
 * @type {Point}
 */
export const UP = [0, 1];

/**
 * @param {Point} one
 * @param {Point} other
 */
export function squareOf(one, other) {
  return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2;
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {number} reach
 */
export function within(one, other, reach) {
  return squareOf(one, other) <= reach * reach;
}

/**
 * The whole root of a whole number: a float's is off by one at most, which is put right.
 * @param {number} number
 */
function wholeRoot(number) {
  let root = Math.floor(Math.sqrt(number));
  while (root * root > number) root -= 1;
  while ((root + 1) * (root + 1) <= number) root += 1;
  return root;
}

/**
 * The distance rounded up to the millimetre, so that it never contradicts a band.
 * @param {Point} one
 * @param {Point} other
 */
export function distanceOf(one, other) {
  const squared = squareOf(one, other);
  return squared ? wholeRoot(squared - 1) + 1 : 0;
}

/**
 * The point so many millimetres from a start in a direction, to the nearest millimetre.
 * @param {Point} start
 * @param {Point} towards
 * @param {number} length
 * @returns {Point}
 */
function onWay(start, towards, length) {
  const squared = towards[0] ** 2 + towards[1] ** 2;
  return [start[0] + nearestTo(length, towards[0], squared), start[1] + nearestTo(length, towards[1], squared)];
}

/**
 * @param {number} length
 * @param {number} part
 * @param {number} squared
 */
function nearestTo(length, part, squared) {
  const doubled = BigInt(2 * length * part);
  const marks = wholeRoot(Number((doubled * doubled) / BigInt(squared)));
  const rounded = Math.floor((marks + 1) / 2);
  return part > 0 ? rounded : -rounded;
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {Point} third
 */
function turnAt(one, other, third) {
  return (other[0] - one[0]) * (third[1] - one[1]) - (other[1] - one[1]) * (third[0] - one[0]);
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {Point} point
 */
function isBetween(one, other, point) {
  return [0, 1].every((axis) => Math.min(one[axis], other[axis]) <= point[axis] && point[axis] <= Math.max(one[axis], other[axis]));
}

/**
 * @param {Point} one
 * @param {Point} other
 * @param {Point} start
 * @param {Point} end
 */
function segmentsTouch(one, other, start, end) {
  const first = turnAt(start, end, one);
  const second = turnAt(start, end, other);
  const third = turnAt(one, other, start);
  const fourth = turnAt(one, other, end);
  if (first && second && third && fourth && first > 0 !== second > 0 && third > 0 !== fourth > 0) return true;
  return (
    (first === 0 && isBetween(start, end, one)) ||
    (second === 0 && isBetween(start, end, other)) ||
    (third === 0 && isBetween(one, other, start)) ||
    (fourth === 0 && isBetween(one, other, end))
  );
}

/**
 * @param {Point} point
 * @param {Point[]} polygon
 */
function inPolygon(point, polygon) {
  let inside = false;
  let before = polygon[polygon.length - 1];
  for (const corner of polygon) {
    const turn = turnAt(before, corner, point);
    if (turn === 0 && isBetween(before, corner, point)) return true;
    if (before[1] > point[1] !== corner[1] > point[1] && turn > 0 === corner[1] > before[1]) inside = !inside;
    before = corner;
  }
  return inside;
}

/**
 * Whether the segment between two places touches a polygon, its edge included.
 * @param {Point} one
 * @param {Point} other
 * @param {Point[]} polygon
 */
export function touches(one, other, polygon) {
  let before = polygon[polygon.length - 1];
  for (const corner of polygon) {
    if (segmentsTouch(one, other, before, corner)) return true;
    before = corner;
  }
  return inPolygon(one, polygon);
}

/**
 * The way from a start in a direction, so many millimetres at most, step by step (M1.1).
 *
 * `whole`: the direction is the way to a place, and the way ends there. `contact` is a place and the
 * distance at which the way has come into contact with it, where it ends.
 * @param {Point} start
 * @param {Point} towards
 * @param {number} length
 * @param {Limits} limits
 * @param {{ whole?: boolean, contact?: [Point, number] | null }} [ending]
 * @returns {{ end: Point, off: boolean, barred: boolean }}
 */
export function goWay(start, towards, length, limits, ending = {}) {
  const { whole = false, contact = null } = ending;
  const squared = towards[0] ** 2 + towards[1] ** 2;
  const touched = (/** @type {Point} */ point) => contact !== null && within(point, contact[0], contact[1]);
  if (touched(start) || squared === 0) return { end: start, off: false, barred: false };
  let here = start;
  for (let step = 1; step <= length; step += 1) {
    const arrived = whole && step * step >= squared;
    /** @type {Point} */
    const point = arrived ? [start[0] + towards[0], start[1] + towards[1]] : onWay(start, towards, step);
    const off = !onTable(point, limits.size);
    if (off || limits.walls.some((wall) => touches(start, point, wall)) || limits.shyOf.some(([place, least]) => squareOf(point, place) < least)) {
      return { end: here, off, barred: true };
    }
    here = point;
    if (arrived || touched(here)) break;
  }
  return { end: here, off: false, barred: false };
}

/**
 * @param {Point} point
 * @param {Point} size
 */
export function onTable(point, size) {
  return 0 <= point[0] && point[0] <= size[0] && 0 <= point[1] && point[1] <= size[1];
}
