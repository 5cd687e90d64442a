import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseProxyHeader } from './proxy-protocol.ts'

const binary = (command: number, family: number, body: string): Buffer => {
  const octets = Buffer.from(body, 'hex')
  const head = Buffer.from('0d0a0d0a000d0a515549540a00000000', 'hex')
  head.set([command, family, octets.length >> 8, octets.length & 0xff], 12)
  return Buffer.concat([head, octets])
}
const ipv4 = 'c0000207c0000201 9c40 0ad7'.replaceAll(' ', '')
const ipv6 = '20010db8000000000000000000000007 20010db8000000000000000000000001 9c40 0ad7'.replaceAll(' ', '')

const valid: readonly (readonly [string, Buffer, string | null])[] = [
  ['TCP4', Buffer.from('PROXY TCP4 192.0.2.7 192.0.2.1 40000 2775\r\n'), '192.0.2.7'],
  ['TCP6', Buffer.from('PROXY TCP6 2001:db8::7 2001:db8::1 40000 2775\r\n'), '2001:db8::7'],
  ['UNKNOWN', Buffer.from('PROXY UNKNOWN\r\n'), null],
  ['UNKNOWN with addresses', Buffer.from('PROXY UNKNOWN ::1 ::1 1 2\r\n'), null],
  ['version 2 over IPv4', binary(0x21, 0x11, ipv4), '192.0.2.7'],
  ['version 2 over IPv6', binary(0x21, 0x21, ipv6), '2001:db8::7'],
  ['version 2 with parameters', binary(0x21, 0x11, `${ipv4}030004deadbeef`), '192.0.2.7'],
  ['version 2, LOCAL', binary(0x20, 0x00, ''), null],
  ['version 2, an unspecified family', binary(0x21, 0x00, 'ffff'), null],
]

for (const [name, octets, address] of valid)
  test(`parses ${name} and reports an incomplete header before its last byte`, () => {
    const whole = Buffer.concat([octets, Buffer.from('\0\0\0\x10')])
    assert.deepEqual(parseProxyHeader(whole), { bytes: octets.length, address })
    for (let length = 0; length < octets.length; length += 1)
      assert.equal(parseProxyHeader(octets.subarray(0, length)), 'incomplete')
  })

const invalid: Readonly<Record<string, Buffer>> = {
  'a bind': Buffer.from('0000002f00000009', 'hex'),
  'a TLS handshake': Buffer.from('160301', 'hex'),
  'another protocol': Buffer.from('PROXY UDP4 192.0.2.7 192.0.2.1 40000 2775\r\n'),
  'an address of the other family': Buffer.from('PROXY TCP4 2001:db8::7 192.0.2.1 40000 2775\r\n'),
  'no address': Buffer.from('PROXY TCP4\r\n'),
  'a line without an end': Buffer.from(`PROXY TCP4 ${'1'.repeat(100)}`),
  'another version': binary(0x31, 0x11, ipv4),
  'an unknown command': binary(0x22, 0x11, ipv4),
  'a datagram': binary(0x21, 0x12, ipv4),
  'half an address': binary(0x21, 0x21, ipv4),
  'too many parameters': binary(0x21, 0x11, 'ff'.repeat(2_000)),
}
for (const [name, octets] of Object.entries(invalid))
  test(`refuses ${name}`, () => assert.equal(parseProxyHeader(octets), 'invalid'))

test('never throws for any input', () => {
  const signature = fc.constantFrom(Buffer.alloc(0), Buffer.from('PROXY TCP6 '), binary(0x21, 0x21, ipv6))
  fc.assert(
    fc.property(signature, fc.uint8Array({ maxLength: 200 }), fc.nat(60), (start, octets, cut) => {
      parseProxyHeader(Buffer.concat([start.subarray(0, cut), octets]))
    }),
  )
})
