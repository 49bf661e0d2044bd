/**
 * Who carries whom among the bones of a file, in its order. A circle of parents is cut where the core cuts it.
 * @param {readonly { parent: number }[]} bones
 * @returns {{ roots: number[], childrenOf: number[][] }} indices
 */
export function familyOf(bones) {
  /** @type {number[][]} */
  const childrenOf = bones.map(() => []);
  /** @type {number[]} */
  const roots = [];
  bones.forEach(({ parent }, index) => (childrenOf[parent] ?? roots).push(index));
  const seen = new Set();
  /** @param {number} root */
  function see(root) {
    const rest = [root];
    for (let index = rest.pop(); index !== undefined; index = rest.pop()) {
      seen.add(index);
      rest.push(...childrenOf[index]);
    }
  }
  roots.forEach(see);
  bones.forEach((_, index) => {
    if (!seen.has(index)) {
      const walk = new Set();
      let top = index;
      for (; !walk.has(bones[top].parent); top = bones[top].parent) {
        walk.add(top);
      }
      const brothers = childrenOf[bones[top].parent];
      brothers.splice(brothers.indexOf(top), 1);
      roots.push(top);
      see(top);
    }
  });
  return { roots, childrenOf };
}
