import { readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { z } from 'zod'
import { createId } from '../../system/digest.ts'
import { type Found, foundChannel, resultChannel } from '../tracing.ts'
import {
  API_ACTIVITY,
  describeActivity,
  describeSearch,
  MAX_QUERY_CHARS,
  type Origin,
} from './audit-events.ts'
import { AuditLog, type AuditSettings, type OnError } from './audit-log.ts'

/** OCSF's activity of a name of its own. */
const OTHER = 99

/** Protects the size of a line. */
const MAX_RESOURCES = 1_000

const identifiedSchema = z.union(
  (['id', 'deleted', 'restored'] as const).map(name =>
    z.looseObject({ [name]: z.string().min(1) }).transform(result => result[name]),
  ),
)
const documentsSchema = z.object({
  documents: z.array(z.object({ id: z.string().optional(), status: z.string() })),
})

type AuditedCommand = {
  readonly home: string
  readonly settings: AuditSettings
  readonly onError: OnError
  readonly name: string
  readonly arguments: readonly string[]
  readonly collections: readonly string[]
  readonly hasSearches: boolean
}

type Resource = { readonly uid?: string; readonly name?: string; readonly type?: string }

export class CommandAudit {
  readonly #log: AuditLog
  readonly #command: AuditedCommand
  readonly #origin: Origin
  readonly #made: Resource[] = []

  constructor(command: AuditedCommand) {
    this.#log = new AuditLog(command.home, command.settings, command.onError)
    this.#command = command
    const user = readUser()
    this.#origin = { operation: command.name, correlationId: createId('cmd_'), user }
    if (command.hasSearches) foundChannel.subscribe(this.#writeFound)
    resultChannel.subscribe(this.#noteResult)
  }

  async end(isFailed: boolean): Promise<void> {
    foundChannel.unsubscribe(this.#writeFound)
    resultChannel.unsubscribe(this.#noteResult)
    const { home, name, collections } = this.#command
    if (await isEmpty(home)) return
    this.#log.write({
      ...describeActivity(this.#origin, API_ACTIVITY, OTHER),
      activity_name: name,
      status_id: isFailed ? 2 : 1,
      api: { operation: name },
      resources: [
        ...this.#command.arguments.map(argument => ({ name: shorten(argument) })),
        ...collections.map(collection => ({ name: collection, type: 'collection' })),
        ...this.#made,
      ].slice(0, MAX_RESOURCES),
    })
    await this.#log.close()
  }

  readonly #writeFound = (message: unknown) =>
    this.#log.write(describeSearch(this.#origin, message as Found, this.#log.settings.text))

  readonly #noteResult = (json: unknown) => {
    const uid = identifiedSchema.safeParse(json).data
    if (uid !== undefined) this.#made.push({ uid })
    const { documents = [] } = documentsSchema.safeParse(json).data ?? {}
    for (const { id: uid, status } of documents.slice(0, MAX_RESOURCES))
      if (uid !== undefined) this.#made.push({ uid, type: status })
  }
}

/** Its disk may not be mounted. */
async function isEmpty(home: string): Promise<boolean> {
  return (await readdir(home).catch(() => [])).length === 0
}

/** Containers may have a number only. */
function readUser(): Origin['user'] {
  const uid = String(process.getuid?.() ?? '')
  try {
    return { uid, name: userInfo().username }
  } catch {
    return { uid, name: uid }
  }
}

/** Omits logins, queries and fragments of URLs, which may be credentials. */
function shorten(argument: string): string {
  return argument
    .replace(/(\/\/)(?:[^/?#\s]*@)?([^?#\s]*)(?:[?#]\S*)?/g, '$1$2')
    .slice(0, MAX_QUERY_CHARS)
}
