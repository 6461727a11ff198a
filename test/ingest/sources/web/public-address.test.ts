import { describe, expect, test } from 'vitest'
import { isPublicAddress } from '../../../../src/ingest/sources/web/public-address.ts'

const PUBLIC = [
  '93.184.215.14',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:2800:21f:cb07::1',
  '2400:cb00::1',
]
const SPECIAL = [
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '100.100.100.200',
  '127.0.0.1',
  '127.8.8.8',
  '169.254.169.254',
  '168.63.129.16',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:8.8.8.8',
  '::ffff:127.0.0.1',
  '::127.0.0.1',
  '64:ff9b::a00:1',
  '2002:7f00:1::',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
]

describe('addresses of the public internet', () => {
  test.each(PUBLIC)('%s', address => expect(isPublicAddress(address)).toBe(true))
})
describe('addresses that are not', () => {
  test.each(SPECIAL)('%s', address => expect(isPublicAddress(address)).toBe(false))
})
test('a name is no address', () => expect(isPublicAddress('localhost')).toBe(false))
