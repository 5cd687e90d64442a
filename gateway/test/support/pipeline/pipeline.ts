/**
 * A test bed for pipeline faults: the API and any number of workers, started as in production, on a database
 * and queues of the test file. `startWorker` starts a worker behind its own proxies, so that a test can cut
 * it off from PostgreSQL or RabbitMQ (`proxy.block`), withhold the confirmation of a commit
 * (`database.mute`), or crash it. Publish a job twice with `publish` to simulate a redelivery.
 * Everything stops when the test file ends.
 */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import type { Step } from '../../../src/channels/channel.ts'
import type { AcceptedJob } from '../../../src/jobs/jobs.ts'
import type { Config } from '../../../src/platform/settings/config.ts'
import { openDatabase } from '../../../src/platform/database/database.ts'
import type { Role } from '../../../src/roles/role.ts'
import { startWorker } from '../../../src/roles/worker.ts'
import type { DispatchOptions } from '../../../src/pipeline/dispatch/dispatch.ts'
import { upsertRoute } from '../../../src/carriers/routes/queries.ts'
import type { Route } from '../../../src/carriers/routes/route.ts'
import { createTestBroker } from '../engines/broker.ts'
import { addCleanup } from '../cleanup.ts'
import { createTestDatabase } from '../engines/database.ts'
import { acceptedJob, isInFlight, readAccountLedger, reportCodes } from '../fixtures.ts'
import { createProxy, type Proxy } from '../engines/proxy.ts'
import { createTestRuntime, type TestRuntimeOptions } from '../runtime.ts'
import { createTestServer } from '../http/server.ts'
import { brokerUrls } from '../engines/services.ts'
import { silentLog } from '../silent-log.ts'
import { waitFor } from '../wait.ts'

export interface TestWorker extends Role {
  /** Proxy between the worker and PostgreSQL. */
  readonly database: Proxy
  /** Proxy between the worker and RabbitMQ. */
  readonly broker: Proxy
  /** Cuts the worker off from both engines permanently, as if its process had died. */
  crash(): void
}

/** Call `addRoute` for every route, then `startWorker`. */
export async function openPipeline(
  options: Partial<Config> & Pick<TestRuntimeOptions, 'redis'> = {},
  dispatch: DispatchOptions = {},
) {
  const { database, url } = await createTestDatabase()
  const testBroker = await createTestBroker()
  const { broker, topology } = testBroker
  const settings = { stepTtlSeconds: 3_600, ...options }
  const api = await createTestServer({ ...settings, database, broker, topology })
  await api.server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.server.address() as AddressInfo

  const publish = (job: AcceptedJob): Promise<void> =>
    broker.publisher.send(topology.accepted.normal, JSON.stringify(job))

  return {
    database,
    broker,
    topology,
    api,
    publish,
    /** URL for carriers' receipts, followed by the route id. */
    inboundUrl: `http://127.0.0.1:${port}/inbound`,

    async addRoute(route: Route): Promise<void> {
      await upsertRoute(database, route)
      await api.routes.refresh()
    },

    async startWorker(): Promise<TestWorker> {
      const proxies = { database: await createProxy(url), broker: await createProxy(brokerUrls()[0]!) }
      const pool = openDatabase(proxies.database.url, silentLog, { connections: 16 })
      addCleanup(() => pool.end())
      const link = await testBroker.open({ urls: [proxies.broker.url] })
      const worker = await startWorker(
        createTestRuntime({ ...settings, database: pool, broker: link, topology }),
        dispatch,
      )
      let crashed = false
      addCleanup(async () => {
        if (crashed) for (const proxy of Object.values(proxies)) proxy.unblock()
        await worker.drain()
      })
      return {
        ...worker,
        ...proxies,
        crash() {
          crashed = true
          for (const proxy of Object.values(proxies)) proxy.block()
        },
      }
    },

    /** Resolves with the msgKey when the message is closed. */
    async send(accountId: number, to: string, ...steps: Step[]): Promise<string> {
      const job = acceptedJob({ accountId, to, steps })
      await publish(job)
      const isClosed = async (): Promise<boolean> =>
        (await reportCodes(database, job.msgKey)).length > 0 && !(await isInFlight(database, job.msgKey))
      await waitFor(`${to} to close`, isClosed, { timeoutMs: 15_000 })
      return job.msgKey
    },

    /** Returns `try route outcome code` of each submission, in order. */
    async attemptsOf(msgKey: string): Promise<string[]> {
      const { rows } = await database.query<{ text: string }>(
        `select concat_ws(' ', try, route_id, outcome, coalesce(outcome_code, receipt_code)) as text
           from attempts where msg_key = $1 order by step, try, part`,
        [msgKey],
      )
      return rows.map(({ text }) => text)
    },

    /** Asserts that all messages of the account are closed exactly once. */
    async balances(accountId: number, messages: number): Promise<void> {
      const expected = { accepted: messages, final: messages, inFlight: 0, gap: 0 }
      assert.deepEqual(await readAccountLedger(database, accountId), expected)
    },
  }
}
