import type { Table } from '@lancedb/lancedb'

type Score = { readonly row: bigint; readonly score: number }

export class RowWindows {
  readonly #chunks = new Map<bigint, bigint>()
  readonly #windows = new Map<bigint, bigint[]>()

  static async load(table: Table): Promise<RowWindows> {
    const loaded = new RowWindows()
    const first = new Map<string, bigint>()
    const further: { readonly row: bigint; readonly place: string }[] = []
    const query = table
      .query()
      .where('`window` IS NOT NULL')
      .select(['version', 'ordinal', 'window'])
      .withRowId()
    for await (const batch of query) {
      for (const { version, ordinal, window, _rowid: row } of batch) {
        const place = `${version} ${ordinal}`
        if (window === 0) first.set(place, row)
        else further.push({ row, place })
      }
    }
    for (const { row, place } of further) loaded.#add(first.get(place) ?? row, row)
    return loaded
  }

  get isEmpty(): boolean {
    return this.#chunks.size === 0
  }

  findChunk(row: bigint): bigint {
    return this.#chunks.get(row) ?? row
  }

  listRows(chunk: bigint): readonly bigint[] {
    return [chunk, ...(this.#windows.get(chunk) ?? [])]
  }

  selectBest(rows: readonly Score[]): readonly Score[] {
    if (this.isEmpty) return rows
    const chunks = new Map<bigint, Score>()
    for (const { row, score } of rows) {
      const chunk = this.findChunk(row)
      if (!chunks.has(chunk)) chunks.set(chunk, { row: chunk, score })
    }
    return [...chunks.values()]
  }

  #add(chunk: bigint, row: bigint): void {
    this.#chunks.set(row, chunk)
    this.#windows.set(chunk, [...(this.#windows.get(chunk) ?? []), row])
  }
}
