import { realpath } from 'node:fs/promises'
import path from 'node:path'

/** What a store keeps in its home, which may hold other files too. */
const OWN = ['cache', 'config.yaml', 'content', 'incoming', 'index', 'storage', 'tenants', 'uploads']

/** Databases, with their logs. */
const DATABASES = /^(catalog|server)\.db(-wal|-shm|-journal)?$/

/** Whether a path is, or lies in, what a store keeps in its home; both as they really are, links resolved. */
export function isOwnFile(home: string, file: string): boolean {
  if (!file.startsWith(home + path.sep)) return false
  const [first = ''] = file.slice(home.length + 1).split(path.sep, 1)
  return OWN.includes(first) || DATABASES.test(first)
}

/** The same for any path; false for what is not there. */
export async function liesInStore(home: string, file: string): Promise<boolean> {
  const [realHome, realFile] = await Promise.all([home, file].map(one => realpath(one).catch(() => undefined)))
  return realHome !== undefined && realFile !== undefined && isOwnFile(realHome, realFile)
}
