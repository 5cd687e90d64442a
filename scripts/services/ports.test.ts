import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { chooseBlock, isPortFree, listeningPorts, portsOf } from './ports.ts'

test('never gives a port that outgoing connections may take, nor one port twice', () => {
  const all = Array.from({ length: 9 }, (_, block) => listeningPorts(portsOf(block))).flat()
  assert.equal(new Set(all).size, all.length)
  assert.ok(all.every((port) => port > 1024 && port < 32_768))
})

test('keeps the preferred block while it is free', async () => {
  assert.equal(await chooseBlock(4, () => Promise.resolve(true)), 4)
})

test('passes over a block of which one port is taken', async () => {
  const taken = new Set([portsOf(0).redis, portsOf(1).nodes[2]?.amqp])
  assert.equal(await chooseBlock(0, (port) => Promise.resolve(!taken.has(port))), 2)
})

test('refuses when every block is taken', async () => {
  await assert.rejects(
    chooseBlock(0, () => Promise.resolve(false)),
    /No free block/,
  )
})

test('sees that a listener holds its port', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  assert.equal(await isPortFree(port), false)
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await isPortFree(port), true)
})
