/**
 * Bare worker: consume, submit, insert in bulk with the carrier's id, acknowledge; publish the receipt to a
 * second quorum queue, answer after its confirm; consume, update by carrier id and insert the report in bulk,
 * acknowledge. One carrier, one channel and no claims, so a crash can submit a message twice.
 *
 * Usage: node bench/bare/worker.ts <settings as JSON>; prints one line when it is ready.
 */
import pg from 'pg'
import { Connection } from 'rabbitmq-client'
import { Bulk } from './bulk.ts'
import type { BareJob } from './job.ts'
import { consumeBare } from './queue.ts'
import { createPublish, type Publishing } from './publish.ts'
import { bindBare, type Receipt } from './smpp.ts'
import { closeMessages, insertMessages } from './tables.ts'

export interface BareWorkerSettings {
  readonly brokerUrl: string
  readonly databaseUrl: string
  readonly publishing: Publishing
  /** Schema of the tables, and system id at the carrier. */
  readonly name: string
  /** Queue of accepted jobs. */
  readonly accepted: string
  /** Queue of receipts. */
  readonly receipts: string
  readonly smscPort: number
  readonly window: number
}

interface SubmittedJob {
  readonly job: BareJob
  readonly carrierId: string
  readonly at: Date
  readonly tag: number
}

interface ReceivedReceipt extends Receipt {
  readonly at: Date
  readonly tag: number
}

const settings = JSON.parse(process.argv[2]!) as BareWorkerSettings
const database = new pg.Pool({ connectionString: settings.databaseUrl, max: 4 })
const publishConnection = new Connection(settings.brokerUrl)
const consumeConnection = new Connection(settings.brokerUrl)
const publish = createPublish(publishConnection, settings.publishing)
/** Unacknowledged broker messages of each queue. */
const prefetch = { accepted: 1_000, receipts: 2_000 }
// A receipt can arrive before the row of its message; it is then matched again.
const rematchDelayMs = 5

const smpp = await bindBare(settings.smscPort, settings.name, settings.window, (receipt) =>
  publish(settings.receipts, JSON.stringify(receipt)),
)

const messages = new Bulk<SubmittedJob>(async (rows) => {
  const values = [
    rows.map(({ job }) => job.msgKey),
    rows.map(({ job }) => job.accountId),
    rows.map(({ job }) => job.to),
    rows.map(({ job }) => JSON.stringify(job.steps)),
    rows.map(({ job }) => job.ref),
    rows.map(({ job }) => new Date(job.acceptedAt)),
    rows.map(({ carrierId }) => carrierId),
    rows.map(({ at }) => at),
  ]
  await database.query({ ...insertMessages(settings.name), values })
  acknowledgeAccepted(rows.map(({ tag }) => tag))
})

const reports = new Bulk<ReceivedReceipt>(async (rows) => {
  const values = [
    rows.map(({ carrierId }) => carrierId),
    rows.map(({ result }) => result),
    rows.map(({ at }) => at),
  ]
  const found = await database.query<{ carrier_id: string }>({ ...closeMessages(settings.name), values })
  const closed = new Set(found.rows.map((row) => row.carrier_id))
  acknowledgeReceipts(rows.filter(({ carrierId }) => closed.has(carrierId)).map(({ tag }) => tag))
  const early = rows.filter(({ carrierId }) => !closed.has(carrierId))
  if (early.length > 0) setTimeout(() => early.forEach((row) => reports.add(row)), rematchDelayMs)
})

const acknowledgeReceipts = await consumeBare(
  consumeConnection,
  settings.receipts,
  prefetch.receipts,
  (receipt, tag) => {
    reports.add({ ...(receipt as Receipt), at: new Date(), tag })
  },
)
const acknowledgeAccepted = await consumeBare(
  consumeConnection,
  settings.accepted,
  prefetch.accepted,
  (content, tag) => {
    const job = content as BareJob
    const { from, text } = job.steps[0]!
    smpp.submit(from, job.to, text, (carrierId) => messages.add({ job, carrierId, at: new Date(), tag }))
  },
)
process.stdout.write(`${JSON.stringify({ ready: 'bare pipeline' })}\n`)
process.once('SIGTERM', () => process.exit(0))
