import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Statements, Tables } from '../catalog.ts'

/** DER of an Ed25519 private key before its 32 bytes (RFC 8410, 7). */
const PKCS8_HEAD = '302e020100300506032b657004220420'

/** The store's Ed25519 key, created with its first use. A backup contains it. */
export class ReceiptKeys {
  static readonly tables: Tables = {
    22: ['CREATE TABLE receipt_keys (seed TEXT PRIMARY KEY) WITHOUT ROWID'],
  }

  readonly #catalog: Statements

  constructor(catalog: Statements) {
    this.#catalog = catalog
  }

  /** Returns the public key and a function that signs, both as lower-case hex. */
  async open(): Promise<{ readonly key: string; readonly sign: (bytes: Buffer) => string }> {
    const seed = (await this.#find(this.#catalog)) ?? (await this.#create())
    const der = Buffer.from(PKCS8_HEAD + seed, 'hex')
    const secret = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    return {
      key: exportPublicKey(secret),
      sign: bytes => sign(null, bytes, secret).toString('hex'),
    }
  }

  async #create(): Promise<string> {
    return await this.#catalog.transaction(async inside => {
      const existing = await this.#find(inside)
      if (existing !== undefined) return existing
      const seed = randomBytes(32).toString('hex')
      await inside.run('INSERT INTO receipt_keys VALUES (?)', seed)
      return seed
    })
  }

  async #find(inside: Statements): Promise<string | undefined> {
    return (await inside.get<{ seed: string }>('SELECT seed FROM receipt_keys'))?.seed
  }
}

function exportPublicKey(secret: KeyObject): string {
  const { x = '' } = createPublicKey(secret).export({ format: 'jwk' })
  return Buffer.from(x, 'base64url').toString('hex')
}
