import { type FileHandle, open } from 'node:fs/promises'
import { createDamagedError } from '../parser.ts'

/** Also wraps encrypted files of later versions. */
export const OLE2_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const HEADER_BYTES = 512
/** Sector numbers from here on are marks ([MS-CFB] 2.1): end of a chain, free, part of a table. */
const FIRST_MARK = 0xfffffffa
/** Table sectors that the header lists ([MS-CFB] 2.2). */
const HEADER_TABLES = 109
const ENTRY_BYTES = 128
/** Protects memory: a message of 1,000 attachments has some 30,000 entries. */
const MAX_ENTRIES = 100_000
/** No text of a document is near it. Protects memory. */
const MAX_STREAM_BYTES = 256 * 1024 * 1024
/** Limit in sizes of the file, so that streams that share sectors multiply nothing. */
const MAX_READ_TIMES = 4

const CUT_OFF = 'it is damaged or cut off'

export type CompoundEntry = {
  readonly name: string
  readonly isStorage: boolean
  readonly start: number
  readonly size: number
  /** Keyed by names in capitals, because the format ignores case. */
  readonly entries: ReadonlyMap<string, CompoundEntry>
}

type MutableEntry = CompoundEntry & {
  readonly entries: Map<string, CompoundEntry>
  readonly left: number
  readonly right: number
  readonly child: number
}

type Sectors = { readonly bytes: number; readonly table: Uint32Array }

/**
 * A small file system of sectors ([MS-CFB]). Throws `corrupt` for chains that are cut off,
 * circular, or longer than the file.
 */
export class CompoundFile {
  readonly #file: FileHandle
  readonly #name: string
  readonly #size: number
  readonly #header: Buffer
  #sectors: Sectors
  #entries: readonly MutableEntry[] = []
  /** Streams below 4,096 bytes. */
  #small: { readonly bytes: Buffer; readonly sectors: Sectors } | undefined
  #bytesRead = 0

  private constructor(file: FileHandle, name: string, opened: { size: number; header: Buffer }) {
    this.#file = file
    this.#name = name
    this.#size = opened.size
    this.#header = opened.header
    this.#sectors = { bytes: 2 ** opened.header.readUInt16LE(0x1e), table: new Uint32Array() }
  }

  static async open(path: string, name: string): Promise<CompoundFile> {
    const file = await open(path)
    try {
      const { size } = await file.stat()
      const header = Buffer.alloc(HEADER_BYTES)
      const { bytesRead } = await file.read(header, 0, HEADER_BYTES, 0)
      const isSound =
        bytesRead === HEADER_BYTES &&
        header.subarray(0, 8).equals(OLE2_SIGNATURE) &&
        [9, 12].includes(header.readUInt16LE(0x1e)) &&
        header.readUInt16LE(0x20) === 6
      if (!isSound) throw createDamagedError(name, CUT_OFF)
      const compound = new CompoundFile(file, name, { size, header })
      await compound.#readTables()
      return compound
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get root(): CompoundEntry {
    return this.#entries[0] ?? { ...NO_ENTRY, entries: new Map() }
  }

  /** Finds an entry at the top; in a damaged directory, anywhere. */
  find(name: string): CompoundEntry | undefined {
    const key = name.toUpperCase()
    return (
      this.root.entries.get(key) ?? this.#entries.find(entry => entry.name.toUpperCase() === key)
    )
  }

  async readNamed(name: string): Promise<Buffer | undefined> {
    const entry = this.find(name)
    return entry && !entry.isStorage ? await this.read(entry) : undefined
  }

  async read({ start, size }: CompoundEntry): Promise<Buffer> {
    this.#bytesRead += size
    const isTooLong = size > MAX_STREAM_BYTES || this.#bytesRead > MAX_READ_TIMES * this.#size
    if (isTooLong) throw createDamagedError(this.#name, CUT_OFF)
    if (size >= this.#header.readUInt32LE(0x38)) return await this.#readSectors(start, size)
    this.#small ??= await this.#openSmallStreams()
    const { bytes, sectors } = this.#small
    const parts: Buffer[] = []
    for (const { first, count } of this.#listRuns(sectors, start, size))
      parts.push(bytes.subarray(first * sectors.bytes, (first + count) * sectors.bytes))
    const all = Buffer.concat(parts).subarray(0, size)
    if (all.length < size) throw createDamagedError(this.#name, CUT_OFF)
    return all
  }

  async close(): Promise<void> {
    await this.#file.close()
  }

  async #readTables(): Promise<void> {
    const places: number[] = []
    const limit = Math.ceil(this.#size / this.#sectors.bytes)
    for (let index = 0; index < HEADER_TABLES; index++)
      places.push(this.#header.readUInt32LE(0x4c + index * 4))
    let next = this.#header.readUInt32LE(0x44)
    for (let count = 0; next < FIRST_MARK && count < limit; count++) {
      const list = await this.#readSector(next)
      for (let index = 0; index + 8 <= list.length; index += 4)
        places.push(list.readUInt32LE(index))
      next = list.readUInt32LE(list.length - 4)
    }
    const used = places.filter(place => place < FIRST_MARK).slice(0, limit)
    const parts: Buffer[] = []
    for (const place of used) parts.push(await this.#readSector(place))
    this.#sectors = { bytes: this.#sectors.bytes, table: toTable(Buffer.concat(parts)) }
    this.#entries = await this.#readDirectory(limit)
  }

  async #readDirectory(limit: number): Promise<readonly MutableEntry[]> {
    const entries: MutableEntry[] = []
    let sector = this.#header.readUInt32LE(0x30)
    for (let count = 0; sector < FIRST_MARK && count < limit; count++) {
      const bytes = await this.#readSector(sector)
      for (let index = 0; index + ENTRY_BYTES <= bytes.length; index += ENTRY_BYTES)
        entries.push(parseEntry(bytes.subarray(index, index + ENTRY_BYTES)))
      if (entries.length > MAX_ENTRIES) throw createDamagedError(this.#name, CUT_OFF)
      sector = this.#sectors.table[sector] ?? FIRST_MARK
    }
    linkEntries(entries)
    return entries
  }

  async #openSmallStreams(): Promise<{ readonly bytes: Buffer; readonly sectors: Sectors }> {
    const { start, size } = this.#entries[0] ?? NO_ENTRY
    const tableSectors = this.#header.readUInt32LE(0x40)
    const tableBytes = Math.min(tableSectors * this.#sectors.bytes, this.#size)
    const table = await this.#readSectors(this.#header.readUInt32LE(0x3c), tableBytes)
    return {
      bytes: await this.#readSectors(start, Math.min(size, this.#size)),
      sectors: { bytes: 64, table: toTable(table) },
    }
  }

  async #readSectors(start: number, size: number): Promise<Buffer> {
    if (size > this.#size) throw createDamagedError(this.#name, CUT_OFF)
    const bytes = Buffer.alloc(size)
    let filled = 0
    for (const { first, count } of this.#listRuns(this.#sectors, start, size)) {
      const byteCount = Math.min(size - filled, count * this.#sectors.bytes)
      const offset = (first + 1) * this.#sectors.bytes
      const { bytesRead } = await this.#file.read(bytes, filled, byteCount, offset)
      // Some programs do not fill the last sector.
      if (bytesRead <= byteCount - this.#sectors.bytes)
        throw createDamagedError(this.#name, CUT_OFF)
      filled += byteCount
    }
    return bytes
  }

  /** Joins neighbours. A circle ends with the size. */
  *#listRuns(
    { bytes, table }: Sectors,
    start: number,
    size: number,
  ): Iterable<{ readonly first: number; readonly count: number }> {
    let sector = start
    for (let remaining = Math.ceil(size / bytes); remaining > 0; ) {
      if (sector >= table.length) throw createDamagedError(this.#name, CUT_OFF)
      const first = sector
      let count = 1
      while (count < remaining && table[sector] === sector + 1) {
        sector++
        count++
      }
      yield { first, count }
      remaining -= count
      sector = table[sector] ?? FIRST_MARK
    }
  }

  async #readSector(sector: number): Promise<Buffer> {
    const { bytes } = this.#sectors
    const buffer = Buffer.alloc(bytes, 0xff)
    const { bytesRead } = await this.#file.read(buffer, 0, bytes, (sector + 1) * bytes)
    if (bytesRead === 0) throw createDamagedError(this.#name, CUT_OFF)
    return buffer
  }
}

const NO_ENTRY = { name: '', isStorage: true, start: FIRST_MARK, size: 0 } as const

function toTable(bytes: Buffer): Uint32Array {
  return Uint32Array.from({ length: bytes.length >> 2 }, (_, index) =>
    bytes.readUInt32LE(index * 4),
  )
}

function parseEntry(bytes: Buffer): MutableEntry {
  const nameBytes = Math.min(64, bytes.readUInt16LE(64))
  return {
    name: bytes.toString('utf16le', 0, Math.max(0, nameBytes - 2)),
    isStorage: bytes[66] !== 2,
    left: bytes.readUInt32LE(68),
    right: bytes.readUInt32LE(72),
    child: bytes.readUInt32LE(76),
    start: bytes.readUInt32LE(116),
    size: bytes.readUInt32LE(120),
    entries: new Map(),
  }
}

function linkEntries(entries: readonly MutableEntry[]): void {
  const [root] = entries
  if (!root) return
  const linked = new Set<MutableEntry>([root])
  const waiting = [{ id: root.child, parent: root }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const entry = entries[next.id]
    if (!entry || linked.has(entry)) continue
    linked.add(entry)
    const { parent } = next
    const key = entry.name.toUpperCase()
    if (!parent.entries.has(key)) parent.entries.set(key, entry)
    waiting.push({ id: entry.left, parent }, { id: entry.right, parent })
    if (entry.isStorage) waiting.push({ id: entry.child, parent: entry })
  }
}
