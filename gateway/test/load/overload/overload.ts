/**
 * `npm run suite -- overload`: one account sends more than the pipeline carries, for minutes, and in the
 * middle the broker reaches its disk limit. The broker must recover, nothing may be lost or doubled, rejected
 * sends must state when to retry, receipts must be settled while publishing is blocked, no more messages may wait
 * to be recorded than admission permits, and no process may grow. Breaks the broker, so it runs only on its own services.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setDiskAlarm } from '../../../../tools/engines/rabbitmq/control.ts'
import { AccountClient } from '../../support/processes/account-client.ts'
import { findReasonNotToBreak } from '../../support/processes/breakable-services.ts'
import type { Gateway } from '../../support/processes/gateway.ts'
import { createAccount, readLedger } from '../../support/processes/postern-command.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { printProgress, withProgress } from '../../support/measure/progress.ts'
import { waitFor } from '../../support/wait.ts'
import { writeDoc, writeDocSection } from '../../support/measure/write-doc.ts'
import { startBurst } from '../fairness/burst-load-thread.ts'
import { readOptions } from '../options.ts'
import { countOutcomes, untilEnded } from '../outcomes.ts'
import { drawMemory, drawQueue, drawRate } from './overload-charts.ts'
import type { MemorySample } from './overload-memory.ts'
import {
  checkOverload,
  overloadJson,
  overloadSection,
  overloadTable,
  recoverySeconds,
  waitFraction,
  type OverloadRun,
  type WaitingSample,
} from './overload-report.ts'
import { readProcess } from '../process-usage.ts'
import { ReportPoller } from '../report-poller.ts'
import { runCommand } from '../run-command.ts'
import { SmppTap, type TappedSubmit } from '../smpp-tap.ts'

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
  },
  switches: {
    short: 'about a minute of load, 10 s of it blocked',
    json: 'prints the figures as one line of JSON at the end',
  },
  page: 'docs/evidence/overload.md',
})
const seconds = options.short ? 60 : options.seconds
const blockedSeconds = options.short ? 10 : options.blocked
const heapEverySeconds = 5
/**
 * Steps that are not submitted within this time expire and are reported as such. Without it the backlog of
 * three million messages would be submitted for half an hour after the load.
 */
const stepTtlSeconds = 120

const refusal = findReasonNotToBreak({ needsRedundancy: false })
if (refusal !== undefined) {
  process.stderr.write(`${refusal}\n`)
  process.exit(2)
}
await runCommand('overload', run)

async function run(): Promise<string[]> {
  const base = await TestInstallation.open({ POSTERN_STEP_TTL_SECONDS: String(stepTtlSeconds) })
  const submits: TappedSubmit[] = []
  let tap: SmppTap | undefined
  let client: AccountClient | undefined
  let poller: ReportPoller | undefined
  let findings = ['the run did not finish']
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
    const [apis, workers] = [gateways.slice(0, 2), gateways.slice(2)]
    client = new AccountClient(apis[0]!.url, credentials)
    const canLogIn = async (): Promise<boolean> => (await client!.login()).httpStatus === 200
    await waitFor('the account to be known', canLogIn, { timeoutMs: 20_000, everyMs: 200 })

    const flood = startBurst({
      urls: apis.map(({ url }) => url),
      credentials,
      outstanding: options.outstanding,
      idempotent: true,
      waitFraction,
    })
    // Read from the start, as clients do: millions of reports cannot be read within minutes afterwards.
    poller = new ReportPoller((call) => call(client!))
    const began = performance.now()
    const elapsed = (): number => (performance.now() - began) / 1000
    const samples = new Map<string, MemorySample[]>(gateways.map(({ name }) => [name, []]))
    const ages: [number, number][] = []
    const rates: [number, number][] = []
    const waiting: WaitingSample[] = []
    let acceptedSoFar = 0
    const sampling = setInterval(() => {
      const at = elapsed()
      rates.push([at, flood.counts.accepted - acceptedSoFar])
      acceptedSoFar = flood.counts.accepted
      void Promise.all(gateways.map((gateway) => sample(gateway, at, samples.get(gateway.name)!)))
      const { accepted } = flood.counts
      void Promise.all(workers.map((worker) => worker.metric('postern_messages_recorded_total'))).then(
        (found) => {
          // A worker that does not respond in time shows 0.
          if (found.every((count) => count > 0))
            waiting.push({ second: at, accepted, recorded: found.reduce((sum, count) => sum + count) })
        },
      )
      void Promise.all(apis.map((api) => api.metric('postern_intake_queue_age_seconds', 'lane="normal"')))
        .then((found) => ages.push([at, Math.max(...found)]))
        .catch(() => undefined)
    }, 1_000)
    const until = (second: number, phase: string): Promise<void> =>
      withProgress(pause(Math.max(0, (second - elapsed()) * 1000)), () => {
        const { accepted, refused } = flood.counts
        return `${phase}: ${accepted} accepted, ${refused} requests refused, ${submits.length} submitted, ${poller!.counts.size} reported`
      })

    await until(seconds / 3, 'overload')
    const finalBefore = (await readLedger(base.environment)).final
    const from = elapsed()
    printProgress(`the broker reaches its disk limit and blocks publishers for ${blockedSeconds} s`)
    await setDiskAlarm(1, true)
    const acceptedBefore = flood.counts.accepted
    try {
      await until(from + blockedSeconds, 'blocked')
    } finally {
      await setDiskAlarm(1, false)
    }
    const to = elapsed()
    const acceptedMeanwhile = flood.counts.accepted - acceptedBefore
    const settledMeanwhile = (await readLedger(base.environment)).final - finalBefore
    const resumed = await waitFor(
      'sends to be accepted again',
      () => flood.counts.accepted > acceptedBefore + acceptedMeanwhile,
      { timeoutMs: recoverySeconds * 1000 },
    ).then(
      () => elapsed() - to,
      () => undefined,
    )
    await until(seconds, 'overload')
    const carried = submits.length
    flood.stop()
    // Without load memory falls, which would hide growth.
    clearInterval(sampling)
    const result = await withProgress(flood.done, () => 'waiting for the last rejected requests')
    const accepted = new Set(result.msgKeys)
    await untilEnded(base, accepted, () => submits.length)
    const { missing, unaccepted } = await countOutcomes([poller], accepted)
    const doubled = submits.length - new Set(submits.map((submit) => submit.to)).size
    const ledger = await readLedger(base.environment)
    const run: OverloadRun = {
      seconds,
      blockedSeconds,
      blockedFrom: from,
      blockedUntil: to,
      outstanding: options.outstanding,
      accepted: accepted.size,
      submitted: submits.length,
      carried,
      stepTtlSeconds,
      begun: result.begun,
      refusedRequests: result.refused,
      retryAfter: result.retryAfter,
      failures: [...base.unexpectedExits, ...result.failures],
      lost: missing,
      unaccepted,
      unknown: result.unknown,
      doubled,
      gap: ledger.gap,
      settledWhileBlocked: settledMeanwhile,
      acceptedWhileBlocked: acceptedMeanwhile,
      resumedAfterSeconds: resumed,
      samples,
      apis: apis.length,
      waiting: waiting.toSorted((one, other) => one.second - other.second),
      ages,
      rates,
    }
    process.stdout.write(`\n${overloadTable(run)}\n\n`)
    findings = checkOverload(run)
    if (options.json) process.stdout.write(`${overloadJson(run, findings)}\n`)
    if (options.write) {
      await writeDocSection('evidence/overload.md', 'overload', overloadSection(run, findings))
      await writeDoc('pictures/overload-memory.svg', drawMemory(run))
      await writeDoc('pictures/overload-queue.svg', drawQueue(run))
      await writeDoc('pictures/overload-rate.svg', drawRate(run))
    }
    return findings
  } finally {
    await poller?.stop()
    client?.close()
    const late = await base.close(findings.length > 0)
    for (const name of late) printProgress(`${name} did not stop on SIGTERM`)
    await tap?.close()
  }
}

/** Samples the memory of the process and the heap in use, in which a leak grows. */
async function sample(gateway: Gateway, second: number, into: MemorySample[]): Promise<void> {
  const { pid } = gateway
  const usage = pid === undefined ? undefined : readProcess(pid)
  if (usage === undefined) return
  // Sample rarely: the response costs the process some milliseconds. The value is 0 without a response.
  const isTurn = Math.floor(second) % heapEverySeconds === 0
  const heapBytes = isTurn ? await gateway.metric('nodejs_heap_size_used_bytes') : 0
  into.push({ minute: second / 60, ...usage, heapKb: heapBytes === 0 ? NaN : heapBytes / 1024 })
}
