import type { ParserEvent } from './parser.ts'

/** Passes events on, telling the number of pages so far, and of all where the format says it in advance. */
export async function* countPages(
  events: AsyncIterable<ParserEvent>,
  onPage: (done: number, total?: number) => void,
) {
  let pages = 0
  let total: number | undefined
  for await (const event of events) {
    if (event.type === 'metadata') total = event.metadata.pages ?? total
    if (event.type === 'page') onPage(++pages, total)
    yield event
  }
}

/** Passes items on, telling their number so far. */
export async function* countItems<Item>(
  items: AsyncIterable<Item>,
  onItem: (done: number) => void,
) {
  let done = 0
  for await (const item of items) {
    onItem(++done)
    yield item
  }
}

/** All but the first `count`. */
export async function* skip<Item>(items: AsyncIterable<Item> | Iterable<Item>, count: number) {
  let index = 0
  for await (const item of items) if (index++ >= count) yield item
}

/** Arrays of `size` items, the last one shorter. */
export async function* batchItems<Item>(items: AsyncIterable<Item>, size: number) {
  let batch: Item[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
