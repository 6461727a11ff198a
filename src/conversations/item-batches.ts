/** Item numbers, exclusive. */
export type ItemRange = {
  readonly after?: number | undefined
  readonly before?: number | undefined
  readonly order: 'asc' | 'desc'
}

export type ItemSlice = Pick<ItemRange, 'order'> & { readonly limit: number }

/** Keep small what waits for a slow reader. */
const ITEMS_AT_ONCE = 100
const BYTES_AT_ONCE = 256 * 1024

/** Returns a condition with four values: the conversation twice, and the numbers around a batch. */
export function formatBatchCondition(order: ItemRange['order']): string {
  const next = `SELECT number, octet_length(body) AS bytes FROM conversation_items
    WHERE conversation_id = ? AND number > ? AND number < ? ORDER BY number ${order} LIMIT ${ITEMS_AT_ONCE}`
  const summed = `SELECT number, bytes, sum(bytes) OVER (ORDER BY number ${order}) AS total FROM (${next}) AS next`
  return `conversation_id = ? AND number IN (SELECT number FROM (${summed}) AS summed
    WHERE total - bytes < ${BYTES_AT_ONCE}) ORDER BY number ${order}`
}
