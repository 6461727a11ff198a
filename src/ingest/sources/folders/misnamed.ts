import { readdir } from 'node:fs/promises'
import { type LocalizableMessage, localizable } from '../../../errors/localizable.ts'

/** Node's sign for bytes that are not UTF-8. A path with it opens no such file. */
const REPLACEMENT = '\uFFFD'
const ESCAPED = /[^\x20-\x7e]/g

/** Returns the bytes of such names, `caf\xe9.md`, by the name that Node returns for them. */
export async function listMisnamed(
  folder: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const misnamed = new Map<string, string[]>()
  if (!names.some(name => name.includes(REPLACEMENT))) return misnamed
  for (const bytes of await readdir(folder, { encoding: 'buffer' })) {
    const name = bytes.toString()
    if (Buffer.from(name).equals(bytes)) continue
    const same = misnamed.get(name)
    const escaped = bytes.toString('latin1').replace(ESCAPED, escapeByte)
    if (same) same.push(escaped)
    else misnamed.set(name, [escaped])
  }
  return misnamed
}

function escapeByte(byte: string): string {
  return `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`
}

export function isMaybeMisnamed(source: string): boolean {
  return source.includes(REPLACEMENT)
}

export function describeMisnamed(source: string): LocalizableMessage {
  return localizable`The name of ${source} is not UTF-8, so it cannot be opened. Rename it, and index it again.`
}

export const MISNAMED_ADVICE = localizable`For all names in a folder, in GBK for example: convmv -r -f GBK -t UTF-8 --notest FOLDER`
