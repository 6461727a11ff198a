import { existsSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { makePrivateFolder } from '../../system/disk.ts'

/** Where LanceDB tables lie, and what it does not do there itself. */
export interface TablePlace {
  /** What LanceDB connects to. */
  readonly uri: string
  /** How it is let in there. */
  readonly storageOptions: Readonly<Record<string, string>>
  /** The same as variables, for a process of its own. */
  readonly environment: Readonly<Record<string, string>>
  /** From so many vectors on they are indexed; while they are in one partition, a search stays exact. */
  readonly indexedVectors: number
  /** The folder of a table, where it lies on this machine's disk. */
  findFolder(name: string): string | undefined
  /** On this machine's disk, for what upkeep of a table writes for itself. */
  chooseScratchFolder(name: string): string
  prepare(): Promise<void>
  /** A table is made with its first manifest, which has its name once it is whole; one with rows that lost it is damaged. */
  wasMade(name: string): Promise<boolean>
  /** Remove what a kill left of making a table. */
  removeHalfMade(name: string): Promise<void>
}

/** In a table's folder: LanceDB's temporary files, which a process that ends at once or is killed leaves where they are. */
const TEMPORARY = '_upkeep'

/** It is the layout that pays: over 26,107 vectors of the shipped model, searched whole, a query took 5 ms of CPU instead of 45. */
const INDEXED_VECTORS = 5_000

/** Tables on this machine's disk: a folder each. */
export class TableFolder implements TablePlace {
  readonly uri: string
  readonly storageOptions = {}
  readonly environment = {}
  readonly indexedVectors = INDEXED_VECTORS

  constructor(home: string) {
    this.uri = path.join(home, 'index')
  }

  findFolder(name: string): string {
    return path.join(this.uri, `${name}.lance`)
  }

  chooseScratchFolder(name: string): string {
    return path.join(this.findFolder(name), TEMPORARY)
  }

  async prepare(): Promise<void> {
    await makePrivateFolder(this.uri)
  }

  async wasMade(name: string): Promise<boolean> {
    const folder = this.findFolder(name)
    const versions = path.join(folder, '_versions')
    const hasManifest =
      existsSync(versions) && readdirSync(versions).some(file => file.endsWith('.manifest'))
    return hasManifest || existsSync(path.join(folder, 'data'))
  }

  async removeHalfMade(name: string): Promise<void> {
    await rm(this.findFolder(name), { recursive: true, force: true })
  }
}
