import { BlockList, isIP, isIPv6 } from 'node:net'

/** IANA's special-purpose registry, and services inside of clouds. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host service, at a public address
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * IANA's special-purpose registry. Mapped, translated and tunnelled addresses stand for an
 * unchecked IPv4 one.
 */
const SPECIAL_IPV6 = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

const specialIpv4 = createBlockList(SPECIAL_IPV4, 'ipv4')
const specialIpv6 = createBlockList(SPECIAL_IPV6, 'ipv6')

/** A list for both families would treat every IPv4 address as mapped. */
function createBlockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%') // without the zone
  if (isIP(bare) === 0) return false
  return isIPv6(bare) ? !specialIpv6.check(bare, 'ipv6') : !specialIpv4.check(bare, 'ipv4')
}
