import { AppError } from '../../../errors.ts'

/** What pg's pool says where all connections stay in use; it has no code. */
const POOL_IS_BUSY = 'timeout exceeded when trying to connect'

/**
 * What the server or the way to it says, in terms of the store `name`; what is wrong with a statement stays what it is. Only
 * `store_unavailable` says where it is: everything else may be told to whoever asked.
 */
export function namedPostgresError(error: unknown, name: string): unknown {
  if (!(error instanceof Error) || error instanceof AppError || error instanceof TypeError)
    return error
  const { code = '', severity } = error as Error & {
    readonly code?: string
    readonly severity?: string
  }
  const about = { cause: error, subject: 'store' } as const
  const said = error.message || code // several addresses that all refuse have no message
  const away = (advice: string) =>
    new AppError(
      'store_unavailable',
      `The catalog ${name} cannot be asked (${said}). ${advice}`,
      about,
    )
  if (error.message === POOL_IS_BUSY)
    return away(
      'All its connections are in use: the database may be slow, or this store asked for too much at once.',
    )
  const isOfServer = severity !== undefined // whose codes have five characters
  if (!isOfServer) return away('Look whether it runs, and whether catalog.url is right.')
  if (code === '53100')
    return new AppError(
      'disk_full',
      'The disk of the database that has the catalog is full. Free some space there.',
      about,
    )
  if (code === '54000')
    return new AppError(
      'invalid_input',
      `A name is too long for the catalog (${said}). Shorten it.`,
      about,
    )
  if (code.startsWith('XX'))
    return new AppError('corrupt', `The catalog is damaged, as its database says (${said}).`, about)
  if (code === '42501' || code === '3F000')
    return away(
      'Its user needs a schema of his own there, or the right to make one: GRANT CREATE ON DATABASE.',
    )
  if (/^53/.test(code))
    return away(
      'It takes no more connections: raise its max_connections, or set server.maxOpenStores lower.',
    )
  if (/^(08|57P|28|3D)/.test(code))
    return away('Look whether it runs, and whether catalog.url is right.')
  if (code === '55P03' || code === '25P03') return away('Another writer took too long. Try again.')
  return error
}
