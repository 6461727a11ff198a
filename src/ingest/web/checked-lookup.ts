import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { AppError } from '../../errors.ts'

/** Finds the addresses of a host; the system's resolver by default. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** Whether an address may be gone to. */
export type IsAllowed = (address: string) => boolean

export const systemResolve: Resolve = host => lookup(host, { all: true })

/**
 * Resolves for a connection, which then goes to the very addresses that were checked: a name that means something else
 * a moment later changes nothing. Fails with `forbidden_source` when any address of the host is not allowed.
 */
export function checkedLookup(resolve: Resolve, isAllowed: IsAllowed): LookupFunction {
  return (host, options, done) => {
    void resolve(host).then(
      addresses => {
        const forbidden = addresses.find(({ address }) => !isAllowed(address))
        if (forbidden) return done(forbiddenAddress(host, forbidden.address), '')
        const [first] = addresses
        if (!first) return done(new Error(`${host} has no address`), '')
        if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, ''),
    )
  }
}

/** An address in the URL itself is never looked up. Throws `forbidden_source`. */
export function refuseForbiddenHost({ hostname }: URL, isAllowed: IsAllowed): void {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !isAllowed(host)) throw forbiddenAddress(hostname, host)
}

function forbiddenAddress(host: string, address: string): AppError {
  const where = host === address ? address : `${host} (${address})`
  const advice = 'Only public addresses are read; --allow-private, or the setting fetching.allowPrivate, lifts this.'
  return new AppError('forbidden_source', `${where} is refused: it is a private or reserved address. ${advice}`)
}
