import { BlockList, isIP, isIPv6 } from 'node:net'

/** Ranges that are not the public internet: IANA's special-purpose registries, and clouds' own services. */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32', // Azure's host service answers here, though the address is public
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

/** Mapped, compatible, translated and tunnelled addresses stand for an IPv4 one that was not looked at: none is let through. */
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

const specialIpv4 = blockList(SPECIAL_IPV4, 'ipv4')
const specialIpv6 = blockList(SPECIAL_IPV6, 'ipv6')

/** One list for each family: a list of both takes every IPv4 address for a mapped one. */
function blockList(ranges: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

/** Whether an IP address is one of the public internet; false for what is no address. */
export function isPublicAddress(address: string): boolean {
  const [bare = ''] = address.split('%') // a zone is no part of the address
  if (isIP(bare) === 0) return false
  return isIPv6(bare) ? !specialIpv6.check(bare, 'ipv6') : !specialIpv4.check(bare, 'ipv4')
}
