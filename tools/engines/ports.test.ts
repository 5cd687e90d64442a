import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import { chooseBlock, isPortFree, lastBlock, listeningPorts, computePorts } from './ports.ts'

test('ports are distinct and outside the range of outgoing connections', () => {
  const all = Array.from({ length: lastBlock + 1 }, (_, block) => listeningPorts(computePorts(block))).flat()
  assert.equal(new Set(all).size, all.length)
  assert.ok(all.every((port) => port > 1024 && port < 32_768))
})

test('the preferred block is kept while it is free', async () => {
  assert.equal(await chooseBlock(4, () => Promise.resolve(true)), 4)
})

test('a block with a port in use is skipped', async () => {
  const taken = new Set([computePorts(0).redis, computePorts(1).nodes[2]?.amqp])
  assert.equal(await chooseBlock(0, (port) => Promise.resolve(!taken.has(port))), 2)
})

test('the choice fails if every block is in use', async () => {
  await assert.rejects(
    chooseBlock(0, () => Promise.resolve(false)),
    /no free block/,
  )
})

test('a port in use is detected', async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  assert.equal(await isPortFree(port), false)
  await new Promise((resolve) => server.close(resolve))
  assert.equal(await isPortFree(port), true)
})
