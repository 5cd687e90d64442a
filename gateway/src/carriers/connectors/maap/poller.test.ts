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

async function submitMany({ connector }: MaapStage, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    const reference = `20261115000000000C00C${String(++references).padStart(11, '0')}-1-1-1`
    const outcome = await connector.submit(rcsSubmission(smsBody, { reference }))
    assert.equal(outcome.kind, 'accepted')
  }
}

const countReported = ({ record }: MaapStage): number =>
  new Set(record.receipts.map(({ reference }) => reference)).size

test('fetches every status, even after an outage of the relay', async (t) => {
  const stage = await openMaapStage(t, {
    ...polling,
    options: { ...polling.options, responseTimeoutMs: 300 },
    simulator: { batchSize: 3 },
  })
  await submitMany(stage, 10)
  await waitFor('all statuses', () => countReported(stage) === 10)
  const relay = stage.hosts.get('kt-relay')!
  relay.pause()
  await waitFor('a query without a response', () => stage.record.events.includes('poll-failed'))
  relay.resume()
  await submitMany(stage, 5)
  await waitFor('the others', () => countReported(stage) === 15)
  assert.ok(stage.record.receipts.every(({ result }) => result === 'delivered'))
})

test('the next process fetches a batch that was not stored', async (t) => {
  const stored: string[] = []
  const canStore = { value: true }
  const onReceipt = ({ reference }: { readonly reference?: string }): Promise<void> => {
    // The first process never finishes storing, as if it were killed.
    if (!canStore.value) return new Promise(() => undefined)
    stored.push(reference!)
    return Promise.resolve()
  }
  const stage = await openMaapStage(t, { ...polling, onReceipt, simulator: { batchSize: 2 } })
  // The relay numbers queries per day. Several are used first, so that the next process must search for the last one.
  await submitMany(stage, 7)
  await waitFor('the first statuses', () => stored.length === 7)
  canStore.value = false
  await submitMany(stage, 2)
  await waitFor('a batch that is not stored', () => stage.record.receipts.length > 7)
  canStore.value = true
  stored.length = 0
  await stage.open()
  await waitFor('the unstored receipts to be stored', () => {
    const unstored = new Set(stage.record.receipts.slice(7).map(({ reference }) => reference!))
    return countReported(stage) === 9 && [...unstored].every((reference) => stored.includes(reference))
  })
})

test('only the first owner polls', async (t) => {
  const stage = await openMaapStage(t, { ...polling, context: { isFirstOwner: false } })
  await submitMany(stage, 1)
  const relay = stage.hosts.get('kt-relay')!
  assert.equal(relay.stats().receiptsPending, 1)
  await stage.open({ isFirstOwner: true })
  await waitFor('the status', () => countReported(stage) === 1)
})
