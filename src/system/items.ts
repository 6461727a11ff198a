/** Throws `RangeError`. Hot loops should read typed arrays directly. */
export function getItem<Item>(items: ArrayLike<Item>, index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError(`There is no item ${index} among ${items.length}.`)
  return item
}

/** Throws `RangeError` for an empty list. */
export function getFirst<Item>(items: ArrayLike<Item>): Item {
  return getItem(items, 0)
}

/** Throws `RangeError` for an empty list. */
export function getLast<Item>(items: ArrayLike<Item>): Item {
  return getItem(items, items.length - 1)
}
