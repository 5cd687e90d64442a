/**
 * `npm run overload`: one account sends more than the pipeline carries, for minutes, and in the middle the broker reaches its
 * disk limit. The broker recovers by itself; nothing is lost or doubled; refused sends say when to come back; receipts are
 * settled while publishing is blocked; the first queue stays young and no process grows. It breaks the broker, so it
 * runs only on services of its own.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setDiskAlarm } from '../../../scripts/services/rabbitmq-control.ts'
import { AccountClient } from '../support/processes/account-client.ts'
import { whyNotBreakable } from '../support/processes/breakable-services.ts'
import { createAccount, readLedger } from '../support/processes/postern-command.ts'
import { TestInstallation } from '../support/processes/test-installation.ts'
import { printProgress, withProgress } from '../support/progress.ts'
import { waitFor } from '../support/wait.ts'
import { startBurst } from './burst-load-thread.ts'
import { readOptions } from './options.ts'
import { countOutcomes } from './outcomes.ts'
import { readProcess, type Sample } from './process-usage.ts'
import { runCommand } from './run-command.ts'
import { SmppTap, type TappedSubmit } from './smpp-tap.ts'
import { growthOf, judgeGrowth, soakTable } from './soak-report.ts'

const options = readOptions({
  name: 'overload',
  about: 'more load than the pipeline carries, while the disk limit of the broker is reached',
  figures: {
    seconds: { default: 600, help: 'length of the load' },
    outstanding: {
      default: 400,
      help: 'requests with ten messages that are sent or wait for their Retry-After',
    },
    blocked: { default: 60, help: 'seconds for which the broker accepts nothing' },
    age: {
      default: 10,
      help: 'seconds that a message may wait in the first queue while the broker accepts messages',
    },
  },
  switches: {
    short: 'about a minute of load, 10 s of it blocked',
    json: 'prints the figures as one line of JSON at the end',
  },
})
const seconds = options.short ? 60 : options.seconds
const blockedSeconds = options.short ? 10 : options.blocked
/** The first queue is drained within this time after the broker accepts messages again. */
const recoverySeconds = 30

const refusal = whyNotBreakable({ redundant: false })
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
await runCommand('overload', run)

async function run(): Promise<string[]> {
  const base = await TestInstallation.open()
  const submits: TappedSubmit[] = []
  let tap: SmppTap | undefined
  let client: AccountClient | undefined
  let findings = ['the run did not end']
  try {
    const simulator = await base.startSimulator('smsc', '--receipt-delay-ms', '2000')
    tap = await SmppTap.open(simulator.port, (submit) => submits.push(submit))
    await base.putRoute({
      id: 'carrier',
      channels: ['sms'],
      simulator,
      options: { port: tap.port, window: 100 },
    })
    const credentials = await createAccount(base.environment, 'flood')
    const gateways = await Promise.all([
      ...[1, 2].map((n) => base.startGateway('api', `api-${n}`)),
      ...[1, 2].map((n) => base.startGateway('worker', `worker-${n}`)),
    ])
    await Promise.all(gateways.map((gateway) => gateway.untilReady(60_000)))
    const apis = gateways.slice(0, 2)
    client = new AccountClient(apis[0]!.url, credentials)
    const known = async (): Promise<boolean> => (await client!.login()).httpStatus === 200
    await waitFor('the account to be known', known, { timeoutMs: 20_000, everyMs: 200 })

    const flood = startBurst({
      urls: apis.map(({ url }) => url),
      credentials,
      outstanding: options.outstanding,
      idempotent: true,
    })
    const began = performance.now()
    const elapsed = (): number => (performance.now() - began) / 1000
    const samples = new Map<string, Sample[]>(gateways.map(({ name }) => [name, []]))
    const ages: [number, number][] = []
    const sampling = setInterval(() => {
      for (const { name, pid } of gateways) {
        const usage = pid === undefined ? undefined : readProcess(pid)
        if (usage !== undefined) samples.get(name)!.push({ minute: elapsed() / 60, ...usage })
      }
      const at = elapsed()
      void Promise.all(apis.map((api) => api.metric('postern_first_queue_age_seconds', 'lane="normal"')))
        .then((found) => ages.push([at, Math.max(...found)]))
        .catch(() => undefined)
    }, 1_000)
    const until = (second: number, what: string): Promise<void> =>
      withProgress(pause(Math.max(0, (second - elapsed()) * 1000)), () => {
        const { accepted, refused } = flood.counts
        return `${what}: ${accepted} accepted, ${refused} requests refused, ${submits.length} submitted`
      })

    await until(seconds / 3, 'overload')
    const finalBefore = (await readLedger(base.environment)).final
    const from = elapsed()
    printProgress(`the broker reaches its disk limit and blocks publishers for ${blockedSeconds} s`)
    await setDiskAlarm(1, true)
    const acceptedBefore = flood.counts.accepted
    await until(from + blockedSeconds, 'blocked').finally(() => setDiskAlarm(1, false))
    const to = elapsed()
    const acceptedMeanwhile = flood.counts.accepted - acceptedBefore
    const settledMeanwhile = (await readLedger(base.environment)).final - finalBefore
    const resumed = await waitFor(
      'sends to be accepted again',
      () => flood.counts.accepted > acceptedBefore + acceptedMeanwhile,
      {
        timeoutMs: recoverySeconds * 1000,
      },
    ).then(
      () => elapsed() - to,
      () => undefined,
    )
    await until(seconds, 'overload')
    flood.stop()
    const result = await withProgress(flood.done, () => 'waiting for the last refused requests')
    clearInterval(sampling)
    const accepted = new Set(result.msgKeys)
    const { missing, unaccepted } = await countOutcomes(
      base,
      [(ask) => ask(client!)],
      accepted,
      () => submits.length,
    )
    const doubled = submits.length - new Set(submits.map((submit) => submit.to)).size
    const ledger = await readLedger(base.environment)
    const apart = ages.filter(([at]) => at < from || at > to + recoverySeconds)
    const figures = {
      ...{
        seconds,
        blockedSeconds,
        accepted: accepted.size,
        refusedRequests: result.refused,
        lost: missing,
        unaccepted,
        unknown: result.unknown,
        doubled,
        gap: ledger.gap,
      },
      ...{
        settledWhileBlocked: settledMeanwhile,
        acceptedWhileBlocked: acceptedMeanwhile,
        resumedAfterSeconds: resumed,
      },
      maxFirstQueueAgeSeconds: Math.max(0, ...apart.map(([, age]) => age)),
      retryAfterSeconds: Object.fromEntries(result.retryAfter),
    }
    const growths = [...samples].map(([name, list]) => growthOf(name, list))
    process.stdout.write(`\n${soakTable(growths)}\n\n`)
    findings = [
      ...base.unexpectedExits,
      ...result.failures,
      ...(accepted.size === 0 ? ['nothing was accepted'] : []),
      ...(result.refused === 0 ? ['no request was refused: it was no overload'] : []),
      ...(missing > 0 ? [`${missing} accepted messages did not end in exactly one report`] : []),
      ...(unaccepted > result.unknown
        ? [
            `${unaccepted} messages that were not accepted were sent; the answers to ${result.unknown} said that this may be`,
          ]
        : []),
      ...(doubled > 0 ? [`${doubled} messages reached the carrier twice`] : []),
      ...(ledger.gap === 0 ? [] : [`the ledger has a gap of ${ledger.gap}`]),
      ...(settledMeanwhile > 0 ? [] : ['no receipt was settled while the broker blocked publishers']),
      ...(resumed === undefined
        ? [`sends were not accepted within ${recoverySeconds} s after the disk was freed`]
        : []),
      ...(figures.maxFirstQueueAgeSeconds > options.age
        ? [
            `the first queue was ${figures.maxFirstQueueAgeSeconds.toFixed(1)} s old; at most ${options.age} s are allowed`,
          ]
        : []),
      ...growths.flatMap((growth) => judgeGrowth(growth, seconds / 60)),
    ]
    if (options.json) process.stdout.write(`${JSON.stringify({ ...figures, findings })}\n`)
    return findings
  } finally {
    client?.close()
    const late = await base.close(findings.length > 0)
    for (const name of late) printProgress(`${name} did not stop on SIGTERM`)
    await tap?.close()
  }
}
