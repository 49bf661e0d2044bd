const decoder = new TextDecoder();

/**
 * The shortest decimal of a float, as a double: 0.1 and not 0.10000000149011612. Nine digits always tell it from all others.
 * @param {number} value
 */
function shortest(value) {
  let digits = 1;
  while (Math.fround(Number(value.toPrecision(digits))) !== value) {
    digits += 1;
  }
  return value === 0 ? value : Number(value.toPrecision(digits)); // minus zero has lost its sign
}

/**
 * What the core describes in CBOR (RFC 8949): the part of it that `src/io/cbor.h` names.
 * @param {Uint8Array} bytes
 * @returns {any}
 */
export function fromCbor(bytes) {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  let at = 0;
  const text = () => {
    const start = at + 4;
    at = start + numbers.getUint32(at);
    return decoder.decode(bytes.subarray(start, at));
  };
  const value = () => {
    const head = bytes[at];
    at += 1;
    switch (head) {
      case 0xbf: {
        /** @type {Record<string, any>} */
        const map = {};
        while (bytes[at] !== 0xff) {
          map[value()] = value();
        }
        at += 1;
        return map;
      }
      case 0x9f: {
        /** @type {any[]} */
        const list = [];
        while (bytes[at] !== 0xff) {
          list.push(value());
        }
        at += 1;
        return list;
      }
      case 0x7a:
        return text();
      case 0xd9: // the tag of JSON, and the first byte of its bytes
        at += 3;
        return JSON.parse(text());
      case 0xfa:
        at += 4;
        return shortest(numbers.getFloat32(at - 4));
      case 0xfb:
        at += 8;
        return numbers.getFloat64(at - 8);
      default:
        return head === 0xf6 ? null : head === 0xf5;
    }
  };
  return value();
}
