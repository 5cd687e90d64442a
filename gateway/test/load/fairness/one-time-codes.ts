/**
 * Measures the time from request to carrier of one-time codes while another account has a backlog on the same
 * route, and of messages in the backlog's lane.
 */
import { createAccount } from '../../support/processes/postern-command.ts'
import { AccountClient, type Credentials } from '../../support/processes/account-client.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { waitFor } from '../../support/wait.ts'
import { insertWaitingAccount, loadBacklog } from './backlog.ts'
import { measureDelays, type Delays } from './delays.ts'
import { measureRouteDepth } from '../route-depth.ts'
import { openBacklogInstallation, routeId } from './backlog-installation.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { oneTimeCode, ordinaryRecipient, plainText, SteadyLoad } from '../steady-load.ts'

export interface CodesOptions {
  readonly backlog: number
  /** Rate of the route in parts per second. */
  readonly rate: number
  /** Number of one-time codes, and of messages in the backlog's lane. */
  readonly codes: number
  readonly codesPerSecond: number
}

export interface CodesResult {
  readonly urgent: Delays
  readonly sameLane: Delays
  readonly deepest: number
  /** Submissions per second while the codes were sent. */
  readonly submittedPerSecond: number
  /** Size of the backlog at the end. */
  readonly stillWaiting: number
  readonly failures: readonly string[]
}

/**
 * Messages of each account that are sent first and not measured, because a process compiles its code during its first requests.
 */
const warmUp = 20

export async function measureCodes(options: CodesOptions): Promise<CodesResult> {
  const installation = await openBacklogInstallation(options.rate)
  const clients: AccountClient[] = []
  let failed = true
  try {
    const { base, database, submits } = installation
    const began = performance.now()
    await loadBacklog(database, {
      accountId: await insertWaitingAccount(database, 'bulk'),
      routeId,
      lane: 'normal',
      count: options.backlog,
      recipient: (index) => ordinaryRecipient('0101', index),
    })
    printProgress(
      `${options.backlog} messages wait; written in ${((performance.now() - began) / 1000).toFixed(0)} s`,
    )
    const accounts = [
      await createAccount(base.environment, 'bank'),
      await createAccount(base.environment, 'shop'),
    ]
    const [api] = await installation.start(['api', 'worker'])
    for (const credentials of accounts) clients.push(await logIn(api!, credentials))
    const [bank, shop] = clients
    const loads: SteadyLoad[] = []
    const send = (
      client: AccountClient,
      prefix: string,
      request: typeof plainText,
      limit: number,
    ): SteadyLoad => {
      const load = new SteadyLoad({
        use: (call) => call(client),
        perSecond: options.codesPerSecond,
        limit,
        request,
        recipient: (index) => ordinaryRecipient(prefix, index),
      })
      loads.push(load)
      return load
    }
    const depth = measureRouteDepth(
      base.databaseUrl,
      () => loads.reduce((sum, load) => sum + load.sent.length, options.backlog),
      () => submits.length,
    )
    await Promise.all([
      send(bank!, '0104', oneTimeCode, warmUp).done,
      send(shop!, '0105', plainText, warmUp).done,
    ])
    const from = performance.now()
    const before = submits.length
    const codes = send(bank!, '0102', oneTimeCode, options.codes)
    const plain = send(shop!, '0103', plainText, options.codes)
    await withProgress(
      Promise.all([codes.done, plain.done]),
      () => `${codes.sent.length} of ${options.codes} codes sent, ${submits.length} submitted in all`,
    )
    const submittedPerSecond = ((submits.length - before) * 1000) / (performance.now() - from)
    const urgent = await measureDelays(codes, submits, from)
    const sameLane = await measureDelays(plain, submits, from)
    await depth.stop()
    const waiting = await database.query<{ n: number }>('select count(*)::int as n from waiting')
    failed = false
    return {
      urgent,
      sameLane,
      submittedPerSecond,
      deepest: depth.deepest,
      stillWaiting: waiting.rows[0]!.n,
      failures: loads.flatMap((load) => load.failures),
    }
  } finally {
    for (const client of clients) client.close()
    await installation.close(failed)
  }
}

async function logIn(api: Gateway, credentials: Credentials): Promise<AccountClient> {
  const client = new AccountClient(api.url, credentials)
  const canLogIn = async (): Promise<boolean> => (await client.login()).httpStatus === 200
  await waitFor('the account to be known', canLogIn, { timeoutMs: 20_000, everyMs: 200 })
  return client
}
