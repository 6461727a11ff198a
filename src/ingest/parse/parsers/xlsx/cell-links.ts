import { findLinkTarget, type Relation } from '../office/ooxml.ts'
import { parseCellReference } from './cells.ts'

/** Bounded, so that a damaged sheet costs little. */
const MAX_LINKS = 50_000
const MAX_TAG_CHARS = 4096

const LINK = /<(?:\w+:)?hyperlink\s([^>]*)>/g

export class CellLinks {
  readonly #rows: ReadonlyMap<number, readonly string[]>

  constructor(rows: ReadonlyMap<number, readonly string[]>) {
    this.#rows = rows
  }

  /** Searches the bytes beforehand, because links follow the rows. */
  static async find(
    bytes: AsyncIterable<Uint8Array>,
    relations: ReadonlyMap<string, Relation>,
  ): Promise<CellLinks> {
    const rows = new Map<number, string[]>()
    if (![...relations.values()].some(({ type }) => type === 'hyperlink'))
      return new CellLinks(rows)
    let count = 0
    let rest = ''
    for await (const piece of bytes) {
      const text = rest + Buffer.from(piece).toString('latin1')
      for (const [, attributes = ''] of text.matchAll(LINK)) {
        const [, cell] = /\bref="(\w+)/.exec(attributes) ?? []
        const [, id] = /\b\w+:id="([^"]+)"/.exec(attributes) ?? []
        const row = parseCellReference(cell)?.row
        const target = findLinkTarget(id, relations)
        if (row === undefined || !target || ++count > MAX_LINKS) continue
        const targets = rows.get(row)
        if (targets) targets.push(target)
        else rows.set(row, [target])
      }
      rest = text.slice(Math.max(text.lastIndexOf('<'), text.length - MAX_TAG_CHARS))
    }
    return new CellLinks(rows)
  }

  list(row: number): readonly string[] {
    return this.#rows.get(row) ?? []
  }
}
