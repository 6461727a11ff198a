import { createHash } from 'node:crypto'
import { createLockedError, createPasswordError, type ParserInput } from '../../parser.ts'
import { RECORD, readRecords } from './records.ts'

/** Excel opens these without asking ([MS-XLS] 2.2.10). */
const DEFAULT_PASSWORD = 'VelvetSweatshop'
/** Bytes that have one key (specification [MS-XLS], 2.2.10). */
const BLOCK_BYTES = 1_024
const RC4 = 1
/** Specification [MS-OFFCRYPTO], 2.3.6.1. */
const BASIC_BYTES = 54
/** Records that are stored as they are ([MS-XLS] 2.2.10). */
const PLAIN: ReadonlySet<number> = new Set([
  RECORD.opening,
  RECORD.filePass,
  0xe1,
  0x138,
  0x194,
  0x195,
  0x196,
])
/** Place of a sheet, which is, too (specification, 2.2.10). */
const PLACE_BYTES = 4

type KeyMaker = (block: number) => Buffer

type Encryption = {
  readonly digest: 'md5' | 'sha1'
  readonly verifier: Buffer
  readonly verifierDigest: Buffer
  readonly deriveKeys: (password: string) => KeyMaker
}

/** Returns the bytes unchanged if they are not encrypted. Throws `encrypted`. */
export function decryptWorkbook(bytes: Buffer, input: ParserInput): Buffer {
  const stated = findEncryption(bytes)
  if (!stated) return bytes
  const encryption = readEncryption(stated)
  if (!encryption) throw createPasswordError(input.name)
  const passwords = [input.password ?? '', DEFAULT_PASSWORD]
  const makeKey = passwords
    .map(encryption.deriveKeys)
    .find(candidate => isRightKey(candidate(0), encryption))
  if (!makeKey) throw createLockedError(input)
  return decryptRecords(bytes, makeKey)
}

function findEncryption(bytes: Buffer): Buffer | undefined {
  for (const { type, start, end } of readRecords(bytes, 0)) {
    if (type === RECORD.filePass) return bytes.subarray(start, end)
    if (type === RECORD.eof) return undefined
  }
  return undefined
}

/** Returns undefined for the obfuscation of Excel 95, whose first number is 0 or a key. */
function readEncryption(stated: Buffer): Encryption | undefined {
  if (stated.length < BASIC_BYTES || stated.readUInt16LE(0) !== RC4) return undefined
  return stated.readUInt16LE(4) === 1 ? readBasic(stated.subarray(6)) : readCryptoApi(stated)
}

/** [MS-OFFCRYPTO] 2.3.6. */
function readBasic(stated: Buffer): Encryption {
  const salt = stated.subarray(0, 16)
  return {
    digest: 'md5',
    verifier: stated.subarray(16, 32),
    verifierDigest: stated.subarray(32, 48),
    deriveKeys(password) {
      const start = digest('md5', Buffer.from(password, 'utf16le')).subarray(0, 5)
      const repeated = Array.from({ length: 16 }, () => [start, salt]).flat()
      const key = digest('md5', ...repeated).subarray(0, 5)
      return block => digest('md5', key, toBytes(block))
    },
  }
}

/** [MS-OFFCRYPTO] 2.3.5: a header whose fifth number is the bits of a key, then the verifier. */
function readCryptoApi(stated: Buffer): Encryption | undefined {
  const headerBytes = stated.readUInt32LE(10)
  const rest = stated.subarray(14 + headerBytes)
  if (headerBytes < 20 || rest.length < 60) return undefined
  const keyBytes = (stated.readUInt32LE(30) || 40) / 8
  const salt = rest.subarray(4, 20)
  return {
    digest: 'sha1',
    verifier: rest.subarray(20, 36),
    verifierDigest: rest.subarray(40, 60),
    deriveKeys(password) {
      const start = digest('sha1', salt, Buffer.from(password, 'utf16le'))
      return block => {
        const key = digest('sha1', start, toBytes(block)).subarray(0, keyBytes)
        return keyBytes === 5 ? Buffer.concat([key, Buffer.alloc(11)]) : key
      }
    },
  }
}

function isRightKey(key: Buffer, encryption: Encryption): boolean {
  const { verifier, verifierDigest } = encryption
  const encrypted = Buffer.concat([verifier, verifierDigest])
  const stream = createKeystream(key, encrypted.length)
  const plain = encrypted.map((byte, index) => byte ^ (stream[index] ?? 0))
  const expected = digest(encryption.digest, plain.subarray(0, verifier.length))
  return expected.equals(plain.subarray(verifier.length))
}

function decryptRecords(bytes: Buffer, makeKey: KeyMaker): Buffer {
  const plain = Buffer.from(bytes)
  let block = -1
  let stream: Uint8Array = new Uint8Array()
  for (const { type, start, end } of readRecords(bytes, 0)) {
    if (PLAIN.has(type)) continue
    for (let at = type === RECORD.sheet ? start + PLACE_BYTES : start; at < end; at++) {
      if (Math.floor(at / BLOCK_BYTES) !== block) {
        block = Math.floor(at / BLOCK_BYTES)
        stream = createKeystream(makeKey(block), BLOCK_BYTES)
      }
      plain[at] = (bytes[at] ?? 0) ^ (stream[at % BLOCK_BYTES] ?? 0)
    }
  }
  return plain
}

/** RC4, which OpenSSL 3 no longer offers. */
function createKeystream(key: Buffer, length: number): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const swap = (left: number, right: number) => {
    const value = state[left] ?? 0
    state[left] = state[right] ?? 0
    state[right] = value
    return ((state[left] ?? 0) + value) & 255
  }
  for (let index = 0, other = 0; index < 256; index++) {
    other = (other + (state[index] ?? 0) + (key[index % key.length] ?? 0)) & 255
    swap(index, other)
  }
  const stream = new Uint8Array(length)
  for (let index = 0, left = 0, right = 0; index < length; index++) {
    left = (left + 1) & 255
    right = (right + (state[left] ?? 0)) & 255
    stream[index] = state[swap(left, right)] ?? 0
  }
  return stream
}

function digest(algorithm: 'md5' | 'sha1', ...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash(algorithm)
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function toBytes(block: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(block)
  return bytes
}
