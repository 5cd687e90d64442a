import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { clientAddress, toNetwork } from './address.ts'

const request = (forwarded?: string | string[]): FastifyRequest =>
  ({
    socket: { remoteAddress: '10.0.0.1' },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  }) as unknown as FastifyRequest

test('uses the address of the connection without a proxy', () => {
  assert.equal(clientAddress(request(), 0), '10.0.0.1')
  assert.equal(clientAddress(request('192.0.2.1'), 0), '10.0.0.1')
})

test('uses the address that the outermost proxy saw', () => {
  assert.equal(clientAddress(request('192.0.2.1'), 1), '192.0.2.1')
  assert.equal(clientAddress(request('6.6.6.6, 192.0.2.1'), 1), '192.0.2.1')
  assert.equal(clientAddress(request('6.6.6.6, 192.0.2.1, 10.0.0.9'), 2), '192.0.2.1')
  assert.equal(clientAddress(request(['6.6.6.6', '192.0.2.1']), 1), '192.0.2.1')
})

test('a header that is missing or too short leaves the address of the connection', () => {
  assert.equal(clientAddress(request(), 1), '10.0.0.1')
  assert.equal(clientAddress(request(''), 1), '10.0.0.1')
  assert.equal(clientAddress(request('192.0.2.1'), 2), '10.0.0.1')
})

test('the port that a proxy appends is removed', () => {
  for (const [forwarded, address] of [
    ['192.0.2.1:40000', '192.0.2.1'],
    ['[2001:db8::1]:40000', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
    ['2001:db8::1', '2001:db8::1'],
    ['192.0.2.1:x', '192.0.2.1:x'],
    ['[x]:1', '[x]:1'],
  ] as const)
    assert.equal(clientAddress(request(forwarded), 1), address)
})

for (const [address, network] of [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
  ['2001:0DB8:0:0007::9', '2001:db8:0:7::/64'],
  ['2001:db8::9', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
] as const) {
  test(`${address} counts as ${network}`, () => assert.equal(toNetwork(address), network))
}
