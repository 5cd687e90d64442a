import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { UnboundConnections } from './unbound-connections.ts'

const socketTo = (localAddress: string, localPort = 2775): Socket =>
  Object.assign(new EventEmitter(), {
    remoteAddress: '203.0.113.7',
    remotePort: 40_000,
    localAddress,
    localPort,
  }) as unknown as Socket

test('connections from one client port to two server addresses or ports count separately', () => {
  const unbound = new UnboundConnections(() => undefined, [])
  const sockets = [socketTo('192.0.2.1'), socketTo('192.0.2.2'), socketTo('192.0.2.1', 2776)]
  for (const socket of sockets) assert.ok(unbound.admit(socket) !== null)
  assert.equal(unbound.size, 3)
  for (const socket of sockets) assert.equal(unbound.find(socket)!.socket, socket)
  for (const socket of sockets) socket.emit('close')
  assert.equal(unbound.size, 0)
})

test('a TLS socket is found by its underlying connection', () => {
  const unbound = new UnboundConnections(() => undefined, [])
  const below = socketTo('192.0.2.1')
  unbound.admit(below)
  assert.equal(unbound.find(socketTo('192.0.2.1'))!.socket, below)
})
