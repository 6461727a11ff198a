import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'
import { AppError, getSystemCode } from '../../errors.ts'
import { requireKnownNames } from '../known-names.ts'
import type { Tool } from '../tool.ts'
import { defineTool } from './define-tool.ts'

type StorageOptions = {
  readonly root: string
  readonly maxValueBytes?: number | undefined
  readonly maxScanned?: number | undefined
}

const OPTIONS: Readonly<Record<keyof StorageOptions, true>> = {
  root: true,
  maxValueBytes: true,
  maxScanned: true,
}

const parameters = z.object({
  operate: z
    .enum(['put', 'get', 'delete', 'scan'])
    .describe('put a value, get it, delete it, or scan all keys.'),
  key: z
    .string()
    .default('')
    .describe('A path, as `notes/today`. For scan: the folder, all when left out.'),
  value: z.string().optional().describe('What to put.'),
})

/** Characters per `scan`, so that models can read it. */
const MAX_SCAN_CHARS = 50_000

/** Extension of value files, so that keys can also be folders. */
const SUFFIX = '.value'

export function storageTool(options: StorageOptions): Tool {
  requireKnownNames('storageTool()', options, OPTIONS)
  const { root, maxValueBytes = 1_000_000, maxScanned = 1_000 } = options
  const files = new KeyFiles(path.resolve(root))
  return defineTool({
    name: 'storage',
    description: 'Keep texts under keys, for later: put, get, delete, scan.',
    parameters,
    async call({ operate, key, value }) {
      if (operate === 'scan') return await scan(files, key, maxScanned)
      const file = await files.resolve(key)
      if (operate === 'put') return await put(file, key, requireValue(value, maxValueBytes))
      if (operate === 'get') return await get(file, key)
      if ((await readIfThere(file)) === undefined)
        throw new AppError('not_found', `Delete Failed: ${key} does not exist`)
      await rm(file, { force: true })
      return `Successfully deleted ${key}`
    },
  })
}

function requireValue(value: string | undefined, maxBytes: number): string {
  if (value === undefined) throw new AppError('invalid_input', 'value: put needs one.')
  if (Buffer.byteLength(value) <= maxBytes) return value
  throw new AppError('too_large', `value: at most ${maxBytes} bytes are kept under one key.`)
}

async function put(file: string, key: string, value: string): Promise<string> {
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const draft = `${file}.${randomUUID()}.tmp`
  await writeFile(draft, value, { mode: 0o600 })
  await rename(draft, file)
  return `Successfully saved ${key}.`
}

async function get(file: string, key: string): Promise<string> {
  const value = await readIfThere(file)
  if (value === undefined) throw new AppError('not_found', `Get Failed: ${key} does not exist`)
  return value
}

async function scan(files: KeyFiles, folder: string, maxScanned: number): Promise<string> {
  const keys = await files.listKeys(folder)
  if (keys.length === 0)
    throw new AppError('not_found', `Scan Failed: ${folder || '/'} does not exist`)
  const lines: string[] = []
  let chars = 0
  for (const [index, key] of keys.entries()) {
    if (index >= maxScanned || chars > MAX_SCAN_CHARS) {
      lines.push(`… and ${keys.length - index} more keys`)
      break
    }
    const value = await readIfThere(await files.resolve(key))
    if (value === undefined) continue // deleted meanwhile
    lines.push(`/${key}: ${shortenValue(value, MAX_SCAN_CHARS - chars)}`)
    chars += value.length
  }
  return lines.join('\n')
}

function shortenValue(value: string, maxChars: number): string {
  return value.length <= maxChars
    ? value
    : `${value.slice(0, maxChars)}… (${value.length} characters: get it alone)`
}

class KeyFiles {
  readonly #root: string

  constructor(root: string) {
    this.#root = root
  }

  /** Throws `forbidden_source` for keys outside, by dots or links. */
  async resolve(key: string): Promise<string> {
    const bare = key.replace(/^\/+/, '')
    if (bare.trim() === '' || bare.length > 500)
      throw new AppError('invalid_input', 'key: 1 to 500 characters.')
    const parts = bare.split(/[/\\]+/)
    if (parts.some(part => part === '..' || part === '.' || part === '' || part.includes('\0')))
      throw createOutsideError(key)
    const file = path.join(this.#root, ...parts) + SUFFIX
    await this.#requireInside(file, key)
    return file
  }

  async listKeys(folder: string): Promise<readonly string[]> {
    if (!existsSync(this.#root)) return []
    const names = await readdir(this.#root, { recursive: true })
    const keys = names.filter(name => name.endsWith(SUFFIX)).map(toKey)
    const prefix = folder.replace(/^\/+|\/+$/g, '')
    return keys
      .filter(key => prefix === '' || key === prefix || key.startsWith(`${prefix}/`))
      .toSorted()
  }

  async #requireInside(file: string, key: string): Promise<void> {
    let there = file
    while (there !== this.#root && !(await stat(there).catch(() => undefined)))
      there = path.dirname(there)
    if (there === this.#root) return
    const [real, root] = await Promise.all([realpath(there), realpath(this.#root)])
    if (!real.startsWith(root + path.sep)) throw createOutsideError(key)
  }
}

function toKey(name: string): string {
  return name.slice(0, -SUFFIX.length).replaceAll(path.sep, '/')
}

function createOutsideError(key: string): AppError {
  return new AppError(
    'forbidden_source',
    `key: ${key} leads out of the storage. Keys are plain paths without dots.`,
  )
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (getSystemCode(error) === 'ENOENT') return undefined
    throw error
  }
}
