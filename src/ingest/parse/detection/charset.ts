import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { getItem } from '../../../system/items.ts'
import { runInTimeSlices } from '../../../system/time-slices.ts'
import { type CharsetGuess, guessCharset } from './charset-score.ts'
import { measureGarbledShare } from './garbled.ts'
import { loadIconv } from './iconv.ts'

type Decoded = CharsetGuess & { readonly text: string }

/** Size of a sample, so that a large file is recognized as fast as a small one. */
const HEAD_BYTES = 65_536
const PROBE_BYTES = 16_384
const PROBES = 8

/** Share of damage, so that a binary file is not read as text. */
const MAX_DAMAGE = 0.1

/** Almost any bytes decode beyond UTF-8. Protects against binary files. */
const MAX_OTHER_DAMAGE = 0.02

/** Pieces of a stream, so that the thread gives way in between. */
const SMALL_BYTES = 65_536

/** Pages declare these subsets (WHATWG encoding standard). */
const SUPERSETS: Readonly<Record<string, string>> = {
  gb2312: 'gb18030',
  gbk: 'gb18030',
  'gb_2312-80': 'gb18030',
  'x-gbk': 'gb18030',
  cp936: 'gb18030',
  'iso-8859-1': 'windows-1252',
  latin1: 'windows-1252',
  'us-ascii': 'windows-1252',
  ascii: 'windows-1252',
  'shift-jis': 'shift_jis',
  sjis: 'shift_jis',
  'x-sjis': 'shift_jis',
  'windows-31j': 'shift_jis',
  'big5-hkscs': 'big5',
  ks_c_5601: 'euc-kr',
  'ks_c_5601-1987': 'euc-kr',
  utf8: 'utf-8',
  'utf-16': 'utf-16le',
  'iso-8859-8-i': 'iso-8859-8',
  'iso-8859-8-e': 'iso-8859-8',
  'x-mac-cyrillic': 'maccyrillic',
  'x-mac-roman': 'macintosh',
}

/** Bounded, so that a long first line is not searched. */
const STATEMENT_BYTES = 1_024

const MULTI_BYTE = /^(?:gb|big5|shift_jis|euc-|utf-)/

/**
 * Characters, so that GB18030 is not taken for UTF-8: six are valid by chance once in 30,000
 * times.
 */
const MIN_CHANCE_FREE = 6

/**
 * Tries in order: a byte order mark, valid UTF-8 (unless the declared charset is likelier), the
 * declared charset, the likeliest one.
 */
export function decode(bytes: Uint8Array, declared?: string): Decoded {
  const guess = detectBytesCharset(bytes, declared) ?? { charset: 'windows-1252' }
  return { text: decodeAs(bytes, guess.charset), ...guess }
}

export async function detectCharset(bytes: Uint8Array): Promise<string | undefined> {
  return (await runInTimeSlices(detectSamplesCharset(pickSamples(bytes))))?.charset
}

function detectBytesCharset(bytes: Uint8Array, declared?: string): CharsetGuess | undefined {
  const detecting = detectSamplesCharset(pickSamples(bytes), declared)
  for (;;) {
    const step = detecting.next()
    if (step.done) return step.value
  }
}

/** A declaration must decode the samples without error. */
function* detectSamplesCharset(
  samples: readonly Uint8Array[],
  declared?: string,
): Generator<void, CharsetGuess | undefined> {
  const [head] = samples
  if (!head) return undefined
  const marked = findByteOrderMark(head)
  if (marked) return { charset: marked }
  const escaped = findEscapedCharset(head) ?? findUnmarkedUtf32(head)
  if (escaped) return { charset: escaped }
  const stated = declared ?? findStatedCharset(head)
  const named = stated && toCanonicalCharset(stated)
  if (named && isUtf8Instead(samples, named)) return { charset: 'utf-8' }
  if (named && samples.every(sample => isCleanly(sample, named))) return { charset: named }
  if (samples.every(sample => isStrictUtf8(sample)))
    return samples.every(isMostlyText) ? { charset: 'utf-8' } : undefined
  return yield* guessCharset(samples)
}

/** Reads an XML declaration or a Python source (PEP 263). */
function findStatedCharset(head: Uint8Array): string | undefined {
  const start = Buffer.from(head.subarray(0, STATEMENT_BYTES)).toString('latin1')
  const xml = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(start)
  const python = /^(?:[^\n]*\n)?[ \t\f]*#[^\n]*?coding[:=][ \t]*([\w.-]+)/.exec(start)
  return xml?.[1] ?? python?.[1]
}

/** ISO-2022-JP (RFC 1468) switches between ASCII and Japanese by escape sequences. */
function findEscapedCharset(head: Uint8Array): string | undefined {
  const hasEscape = ['\x1b$B', '\x1b$@'].some(switching => Buffer.from(head).includes(switching))
  return hasEscape && !head.some(byte => byte > 0x7f) ? 'iso-2022-jp' : undefined
}

function findUnmarkedUtf32(head: Uint8Array): string | undefined {
  const units = head.length >> 2
  if (units === 0 || head.length % 4 !== 0 || !head.includes(0)) return undefined
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  const isText = (read: (offset: number) => number) => {
    const codes = Array.from({ length: units }, (_, index) => read(index * 4))
    const isFirstPlane = (code: number) => code <= 0xffff
    return (
      codes.every(code => code >= 9 && code <= 0x10ffff) &&
      2 * codes.filter(isFirstPlane).length > units
    )
  }
  if (isText(offset => bytes.readUInt32LE(offset))) return 'utf-32le'
  return isText(offset => bytes.readUInt32BE(offset)) ? 'utf-32be' : undefined
}

/** Text in an older charset is hardly ever valid UTF-8. */
function isUtf8Instead(samples: readonly Uint8Array[], named: string): boolean {
  if (named.startsWith('utf-') || !samples.every(isStrictUtf8)) return false
  const characters = samples.reduce(
    (count, sample) => count + sample.filter(byte => byte >= 0xc0).length,
    0,
  )
  return characters >= (MULTI_BYTE.test(named) ? MIN_CHANCE_FREE : 1)
}

export async function detectFileCharset(path: string): Promise<string | undefined> {
  return (await inspectFileCharset(path))?.charset
}

export async function inspectFileCharset(
  path: string,
  declared?: string,
): Promise<CharsetGuess | undefined> {
  return runInTimeSlices(detectSamplesCharset(await readFileSamples(path), declared))
}

export async function guessDamagedFileCharset(path: string): Promise<string | undefined> {
  const samples = await readFileSamples(path)
  const cleaned = samples.map(sample => sample.filter(byte => byte >= 0x20 || isLayout(byte)))
  const hasAtMost = (damage: number) =>
    samples.every((sample, index) => getItem(cleaned, index).length >= sample.length * (1 - damage))
  if (samples.length === 0 || !hasAtMost(MAX_DAMAGE)) return undefined
  const charset = (await runInTimeSlices(detectSamplesCharset(cleaned)))?.charset
  if (charset === 'utf-8' || (charset && hasAtMost(MAX_OTHER_DAMAGE))) return charset
  return measureGarbledShare(cleaned.map(sample => decodeAs(sample, 'utf-8')).join('')) <=
    MAX_DAMAGE
    ? 'utf-8'
    : undefined
}

/** Tab, line feed, form feed, carriage return. */
function isLayout(byte: number): boolean {
  return byte === 9 || byte === 10 || byte === 12 || byte === 13
}

async function readFileSamples(path: string): Promise<readonly Uint8Array[]> {
  const content = readSmallNow(path)
  if (content) return content.length > 0 ? [content] : []
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const samples = [await readRange(file, 0, Math.min(size, HEAD_BYTES))]
    for (const offset of probeOffsets(size))
      samples.push(alignToLine(await readRange(file, offset, PROBE_BYTES)))
    return samples.filter(sample => sample.length > 0)
  } finally {
    await file.close()
  }
}

/** Decodes pieces of some 64 KB. Omits the byte order mark. */
export async function* decodeFile(
  path: string,
  charset: string,
  signal?: AbortSignal,
): AsyncIterable<string> {
  signal?.throwIfAborted()
  const content = readSmallNow(path)
  if (content) {
    const text = decodeAs(content, charset)
    if (text) yield text
    return
  }
  const decoder = createDecoder(charset)
  const file = await open(path)
  try {
    for await (const bytes of file.createReadStream({ autoClose: false, signal })) {
      const text = decoder.write(bytes)
      if (text) yield text
    }
    const rest = decoder.end()
    if (rest) yield rest
  } finally {
    await file.close()
  }
}

function readSmallNow(path: string): Buffer | undefined {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > SMALL_BYTES) return undefined
    const bytes = Buffer.allocUnsafe(size + 1)
    const read = readSync(file, bytes, 0, bytes.length, 0)
    return read > size ? undefined : bytes.subarray(0, read)
  } finally {
    closeSync(file)
  }
}

function toCanonicalCharset(declared: string): string | undefined {
  const name = declared
    .trim()
    .toLowerCase()
    .replace(/^["']|["']$/g, '')
  const encoding = SUPERSETS[name] ?? name
  return loadIconv().encodingExists(encoding) ? encoding : undefined
}

/**
 * Tells whether a declared charset was not used: `unknown` if there is none of that name,
 * `contradicted` if the bytes are no text in it.
 */
export function judgeDeclaration(
  bytes: Uint8Array,
  declared: string | undefined,
  used: string,
): 'unknown' | 'contradicted' | undefined {
  if (declared === undefined || !bytes.some(byte => byte > 0x7f)) return undefined
  const named = toCanonicalCharset(declared)
  if (named === undefined) return 'unknown'
  const isSameUnit = named.startsWith('utf-16') && used.startsWith('utf-16') // a mark states the order of bytes
  return named === used || isSameUnit ? undefined : 'contradicted'
}

/** Needs no tables for common charsets. */
export function decodeAs(bytes: Uint8Array, charset: string): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return charset === 'utf-8'
    ? buffer.toString().replace(/^\ufeff/, '')
    : charset === 'iso-2022-jp'
      ? new TextDecoder(charset).decode(buffer)
      : loadIconv().decode(buffer, charset)
}

type StreamDecoder = { write(bytes: Buffer): string; end(): string | undefined }

/** iconv-lite has no ISO-2022-JP. */
function createDecoder(charset: string): StreamDecoder {
  if (charset !== 'iso-2022-jp') return loadIconv().getDecoder(charset)
  const decoder = new TextDecoder(charset)
  return { write: bytes => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

function findByteOrderMark(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8'
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return bytes[2] === 0 && bytes[3] === 0 ? 'utf-32le' : 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 0xfe && bytes[3] === 0xff) return 'utf-32be'
  return undefined
}

function isCleanly(sample: Uint8Array, charset: string): boolean {
  const text = decodeAs(trimBrokenEnd(sample), charset)
  return text.length > 0 && !text.slice(0, -1).includes('\ufffd') && !text.includes('\0')
}

function isStrictUtf8(sample: Uint8Array): boolean {
  if (sample.includes(0)) return false
  if (isUtf8(sample)) return true
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(sample, { stream: true })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

/** Takes control characters for binary data, except those of logs and page breaks. */
function isMostlyText(sample: Uint8Array): boolean {
  const controls = sample.reduce((count, byte) => count + (isStray(byte) ? 1 : 0), 0)
  return controls <= sample.length * MAX_DAMAGE
}

function isStray(byte: number): boolean {
  return byte < 0x07 || (byte > 0x0d && byte < 0x1a) || byte === 0x7f
}

function trimBrokenEnd(sample: Uint8Array): Uint8Array {
  return sample.length < PROBE_BYTES
    ? sample
    : sample.subarray(0, sample.lastIndexOf(0x0a) + 1 || sample.length)
}

function probeOffsets(size: number): number[] {
  if (size <= HEAD_BYTES) return []
  const step = (size - HEAD_BYTES) / PROBES
  return Array.from({ length: PROBES }, (_, index) => Math.floor(HEAD_BYTES + index * step))
}

function pickSamples(bytes: Uint8Array): readonly Uint8Array[] {
  const probes = probeOffsets(bytes.length)
    .map(offset => alignToLine(bytes.subarray(offset, offset + PROBE_BYTES)))
    .filter(sample => sample.length > 0)
  return [bytes.subarray(0, HEAD_BYTES), ...probes]
}

function alignToLine(sample: Uint8Array): Uint8Array {
  const newline = sample.indexOf(0x0a)
  return newline === -1 ? new Uint8Array() : sample.subarray(newline + 1)
}

async function readRange(
  file: import('node:fs/promises').FileHandle,
  offset: number,
  length: number,
): Promise<Uint8Array> {
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, offset)
  return buffer.subarray(0, bytesRead)
}
