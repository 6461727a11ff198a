import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { localizable } from '../../../errors/localizable.ts'
import { AppError } from '../../../errors.ts'

export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

export type IsAllowed = (address: string) => boolean

export const resolveBySystem: Resolve = host => lookup(host, { all: true })

export function createCheckedLookup(resolve: Resolve, isAllowed: IsAllowed): LookupFunction {
  return (host, options, done) => {
    void resolve(host).then(
      addresses => {
        const forbidden = addresses.find(({ address }) => !isAllowed(address))
        if (forbidden) return done(createForbiddenError(host, forbidden.address), '')
        const [first] = addresses
        if (!first) return done(new Error(`${host} has no address`), '')
        if (options.all) done(null, [...addresses])
        else done(null, first.address, first.family)
      },
      (error: Error) => done(error, ''),
    )
  }
}

/** Checks an address in the URL, which is never resolved. Throws `forbidden_source`. */
export function refuseForbiddenHost({ hostname }: URL, isAllowed: IsAllowed): void {
  const host = getHost({ hostname })
  if (isIP(host) !== 0 && !isAllowed(host)) throw createForbiddenError(hostname, host)
}

export function getHost({ hostname }: Pick<URL, 'hostname'>): string {
  return hostname.replace(/^\[|\]$/g, '')
}

export function createForbiddenError(host: string, address: string): AppError {
  const where = host === address ? address : `${host} (${address})`
  return new AppError(
    'forbidden_source',
    localizable`${where} is refused: it is a private or reserved address, and only public ones are read.`,
    { advice: 'To allow it, use --allow-private or the setting fetching.allowPrivate.' },
  )
}
