import { open } from 'node:fs/promises'

/** First bytes of an OLE2 compound file: Office before 2007, and encrypted files since. */
export const OLE2_SIGNATURE = Buffer.from('d0cf11e0a1b11ae1', 'hex')

const END_OF_CHAIN = 0xfffffff0
const MAX_DIRECTORY_SECTORS = 64

/** Reads as much of the directory as is intact. The format is [MS-CFB]. */
export async function readStreamNames(path: string): Promise<readonly string[]> {
  const file = await open(path)
  try {
    const header = await readRange(0, 512)
    const sectorBytes = 2 ** Math.min(header.readUInt16LE(0x1e), 12)
    const names: string[] = []
    let sector = header.readUInt32LE(0x30)
    for (let count = 0; sector < END_OF_CHAIN && count < MAX_DIRECTORY_SECTORS; count++) {
      names.push(...readDirectoryNames(await readRange((sector + 1) * sectorBytes, sectorBytes)))
      sector = await findNextSector(header, sector, sectorBytes)
    }
    return names
  } finally {
    await file.close()
  }

  /** The header lists the first 109 sectors of the allocation table. */
  async function findNextSector(
    header: Buffer,
    sector: number,
    sectorBytes: number,
  ): Promise<number> {
    const entriesPerSector = sectorBytes / 4
    const table = Math.floor(sector / entriesPerSector)
    if (table >= 109) return END_OF_CHAIN
    const tableSector = header.readUInt32LE(0x4c + table * 4)
    if (tableSector >= END_OF_CHAIN) return END_OF_CHAIN
    const entry = await readRange(
      (tableSector + 1) * sectorBytes + (sector % entriesPerSector) * 4,
      4,
    )
    return entry.readUInt32LE(0)
  }

  async function readRange(offset: number, length: number): Promise<Buffer> {
    const { buffer } = await file.read(Buffer.alloc(length, 0xff), 0, length, offset)
    return buffer
  }
}

/**
 * A directory entry has 128 bytes: the name in UTF-16, then at 64 its length with the final
 * NUL.
 */
function readDirectoryNames(sector: Buffer): string[] {
  const names: string[] = []
  for (let offset = 0; offset + 128 <= sector.length; offset += 128) {
    const nameBytes = sector.readUInt16LE(offset + 64)
    if (nameBytes >= 4 && nameBytes <= 64)
      names.push(sector.toString('utf16le', offset, offset + nameBytes - 2))
  }
  return names
}
