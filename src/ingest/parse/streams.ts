import type { ParserEvent } from './parser.ts'

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

export async function* skip<Item>(items: AsyncIterable<Item> | Iterable<Item>, count: number) {
  let index = 0
  for await (const item of items) if (index++ >= count) yield item
}

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
