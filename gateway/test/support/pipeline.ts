/**
 * All stages after accept in one process, with a receiver of the carriers' requests in place of the API. For tests of what
 * several stages and a real protocol do together; everything stops when the test file ends.
 */
import { joinMembers } from './membership.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Step } from '../../src/channels/channel.ts'
import { createInbound } from '../../src/connectors/registry.ts'
import { createAttemptWriter } from '../../src/pipeline/dispatch/attempt-writer.ts'
import { startDispatch } from '../../src/pipeline/dispatch/dispatch.ts'
import { startIntake } from '../../src/pipeline/intake/intake.ts'
import { createReceiptSink } from '../../src/pipeline/receipts/receipts.ts'
import { createOutbox, startOutboxSweep } from '../../src/pipeline/scheduling/outbox.ts'
import { startDeadlines } from '../../src/pipeline/settle/deadlines.ts'
import { startSettle } from '../../src/pipeline/settle/settle.ts'
import { digestLogin } from '../../src/routes/logins.ts'
import { upsertRoute } from '../../src/routes/queries.ts'
import { RouteResultCounter } from '../../src/routes/result-counter.ts'
import type { Route } from '../../src/routes/route.ts'
import { createTestBroker } from './broker.ts'
import { atEnd } from './cleanup.ts'
import { createTestDatabase } from './database.ts'
import { acceptedJob, isInFlight, ledgerOf, reportCodes } from './fixtures.ts'
import { openPlacing, type Placing } from './placing.ts'
import { sendThroughQueue } from './settle.ts'
import { quietLog, testMetrics } from './silent-log.ts'
import { waitFor } from './wait.ts'

const stepTtlSeconds = 3_600
const retentionDays = 30

/** Call `addRoute` for every route, then `start`. */
export async function openPipeline() {
  const { database } = await createTestDatabase()
  const { broker, topology } = await createTestBroker()
  const metrics = testMetrics()
  const sendToSettle = sendThroughQueue(broker.publisher, topology)
  const onReceipt = createReceiptSink(sendToSettle, metrics)
  const routes = new Map<string, Route>()

  // As the API does: the first part of the path names the route.
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const [, id, ...rest] = url.split('/')
      const route = routes.get(id!)!
      const read = createInbound(route.protocol, route.options)!
      const given = { method, headers, query: new URLSearchParams(), body: Buffer.concat(chunks) }
      const { receipts, answer } = read({ ...given, path: `/${rest.join('/')}` })
      void Promise.all(receipts.map((receipt) => onReceipt(route.id, receipt, digestLogin(route)))).then(() =>
        response
          .writeHead(answer.status, { 'content-type': answer.contentType ?? 'text/plain' })
          .end(answer.body),
      )
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  atEnd(() => {
    receiver.close()
    receiver.closeAllConnections()
  })

  return {
    ...{ database, broker, topology },
    /** The address of `/inbound`. */
    inboundUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`,

    async addRoute(route: Route): Promise<void> {
      routes.set(route.id, route)
      await upsertRoute(database, route)
    },

    /** By default everything may be sent. */
    async start(trust: Partial<Pick<Placing, 'policy' | 'stopOf'>> = {}): Promise<void> {
      const placing = { ...(await openPlacing(database)), ...trust }
      await broker.declare(topology.dispatch)
      const resultCounter = new RouteResultCounter()
      const stage = { ...placing, resultCounter, broker, topology, database, metrics, log: quietLog }
      const stopping = new AbortController()
      const membership = joinMembers(database)
      const outbox = createOutbox({ ...stage, publisher: broker.publisher, stepTtlSeconds })
      const attemptWriter = createAttemptWriter(database, metrics, quietLog)
      const dispatch = startDispatch(placing.routes, {
        ...{ ...stage, attemptWriter, membership, sendToSettle, onReceipt },
      })
      const settle = startSettle({ ...stage, outbox, retentionDays, signal: stopping.signal })
      const intake = startIntake({ ...stage, stepTtlSeconds, retentionDays })
      const periodics = [
        startOutboxSweep({ ...stage, outbox, membership }),
        startDeadlines({ ...stage, outbox, settledThrough: () => settle.watermark.read(null) }),
      ]
      atEnd(async () => {
        stopping.abort()
        await Promise.all([intake.stop(), dispatch.stop()])
        await settle.stop()
        await Promise.all(periodics.map((periodic) => periodic.stop()))
      })
    },

    /** Resolves with the msgKey when the message is closed. */
    async send(accountId: number, to: string, ...steps: Step[]): Promise<string> {
      const { msgKey, ...job } = acceptedJob({ accountId, to, steps })
      await broker.publisher.send(topology.accepted.normal, JSON.stringify({ msgKey, ...job }))
      const isClosed = async (): Promise<boolean> =>
        (await reportCodes(database, msgKey)).length > 0 && !(await isInFlight(database, msgKey))
      await waitFor(`${to} to close`, isClosed, { timeoutMs: 15_000 })
      return msgKey
    },

    /** `try route outcome code` of each submission, in their order. */
    async attemptsOf(msgKey: string): Promise<string[]> {
      const { rows } = await database.query<{ text: string }>(
        `select concat_ws(' ', try, route_id, outcome, coalesce(outcome_code, receipt_code)) as text
           from attempts where msg_key = $1 order by step, try, part`,
        [msgKey],
      )
      return rows.map(({ text }) => text)
    },

    /** All messages of the account are closed, once each. */
    async balances(accountId: number, messages: number): Promise<void> {
      const expected = { accepted: messages, final: messages, inFlight: 0, gap: 0 }
      assert.deepEqual(await ledgerOf(database, accountId), expected)
    },
  }
}
