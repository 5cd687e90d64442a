import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rcsSubmission, smsBody } from '../../../../test/support/carriers/maap.ts'
import { openMaapStage, type MaapStage } from '../../../../test/support/carriers/maap-simulator.ts'
import { waitFor } from '../../../../test/support/wait.ts'

const polling = {
  kind: 'maap-kt',
  polling: true,
  options: { results: 'polling', webhookToken: undefined, pollIntervalMs: 20 },
} as const

let references = 0

async function submitMany({ connector }: MaapStage, many: number): Promise<void> {
  for (let nth = 0; nth < many; nth++) {
    const reference = `20261115000000000C00C${String(++references).padStart(11, '0')}-1-1-1`
    const outcome = await connector.submit(rcsSubmission(smsBody, { reference }))
    assert.equal(outcome.kind, 'accepted')
  }
}

const known = ({ record }: MaapStage): number =>
  new Set(record.receipts.map(({ reference }) => reference)).size

test('fetches batches in order, even across a relay outage', async (t) => {
  const stage = await openMaapStage(t, {
    ...polling,
    options: { ...polling.options, responseTimeoutMs: 300 },
    simulator: { batchSize: 3 },
  })
  await submitMany(stage, 10)
  await waitFor('all statuses', () => known(stage) === 10)
  const relay = stage.hosts.get('kt-relay')!
  relay.pause()
  await waitFor('a query without an answer', () => stage.record.events.includes('poll-failed'))
  relay.resume()
  await submitMany(stage, 5)
  await waitFor('the others', () => known(stage) === 15)
  assert.ok(stage.record.receipts.every(({ result }) => result === 'delivered'))
})

test('the next process fetches a batch that was not stored', async (t) => {
  const stored: string[] = []
  const isUp = { value: true }
  const onReceipt = ({ reference }: { readonly reference?: string }): Promise<void> => {
    // The first process hangs when it stores, and is killed.
    if (!isUp.value) return new Promise(() => undefined)
    stored.push(reference!)
    return Promise.resolve()
  }
  const stage = await openMaapStage(t, { ...polling, onReceipt, simulator: { batchSize: 2 } })
  // Several numbers are used before, so that the last one has to be found.
  await submitMany(stage, 7)
  await waitFor('the first statuses', () => stored.length === 7)
  isUp.value = false
  await submitMany(stage, 2)
  await waitFor('a batch that is not stored', () => stage.record.receipts.length > 7)
  isUp.value = true
  stored.length = 0
  await stage.open()
  await waitFor('both of them to be stored', () => {
    const lost = new Set(stage.record.receipts.slice(7).map(({ reference }) => reference!))
    return known(stage) === 9 && [...lost].every((reference) => stored.includes(reference))
  })
})

test('only the first owner polls', async (t) => {
  const stage = await openMaapStage(t, { ...polling, context: { isFirstOwner: false } })
  await submitMany(stage, 1)
  const relay = stage.hosts.get('kt-relay')!
  assert.equal(relay.stats().receiptsPending, 1)
  await stage.open({ isFirstOwner: true })
  await waitFor('the status', () => known(stage) === 1)
})
