/** The link as something to wait for. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSettled } from '../../test/support/wait.ts'
import { Link } from './link.ts'

test('nobody waits while it is up, everybody while it is down', async () => {
  const link = new Link()
  const { signal } = new AbortController()
  const waiting = [link.untilUp(signal), link.untilUp(signal)]
  assert.equal(await isSettled(waiting[0]!), false)
  link.set(true)
  await Promise.all(waiting)
  await link.untilUp(signal)
  link.set(false)
  assert.equal(await isSettled(link.untilUp(signal)), false)
  link.set(true)
})

test('a link that is down again at once lets nobody through', async () => {
  const link = new Link()
  const { signal } = new AbortController()
  const waiting = link.untilUp(signal)
  link.set(true)
  link.set(false)
  assert.equal(await isSettled(waiting), false)
  link.set(true)
  await waiting
})

test('rejects when the route stops', async () => {
  const stopping = new AbortController()
  const waiting = new Link().untilUp(stopping.signal)
  stopping.abort(new Error('stopping'))
  await assert.rejects(waiting, /stopping/)
  await assert.rejects(new Link().untilUp(stopping.signal), /stopping/)
})
