/**
 * `npm run suite -- fuzz:bodies [--count N] [--seed N] [--at N] [--concurrency N]`: sends bodies of all sends, valid,
 * mutated and malformed, to a real API process with a real broker. Every response must follow the contract;
 * accepted messages must respect every limit and be durable as sent. `--at` repeats one case of the batch
 * with that seed.
 */
import { parseArgs } from 'node:util'
import { createTopology } from '../../../src/jobs/queues.ts'
import { AccountClient } from '../../support/processes/account-client.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { TestInstallation } from '../../support/processes/test-installation.ts'
import { waitFor } from '../../support/wait.ts'
import { sendNames } from './generate/cases.ts'
import { createFuzzTally, batchSize, runBatch, shrink, type Failure, type FuzzTally } from './batches.ts'
import { maxResponseMs } from './examine.ts'
import { RawClient } from './raw-client.ts'
import { AcceptedQueues } from './accepted-queues.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '3000' },
    seed: { type: 'string', default: '1' },
    at: { type: 'string' },
    concurrency: { type: 'string', default: '48' },
  },
})
const count = parseInteger('count', values.count)
const firstSeed = parseInteger('seed', values.seed)
const concurrency = parseInteger('concurrency', values.concurrency)
/**
 * Maximum kinds of failures of which the first one is shrunk. The others are only counted: most have the same
 * cause.
 */
const maxShrunkKinds = 8
/** Minimum accepted fraction of the valid bodies; filled placeholders may make some too long. */
const minFraction = 0.4

const say = (text: string): void => void process.stdout.write(`${text}\n`)
const installation = await TestInstallation.open()
let failed = true
try {
  failed = !(await run())
} finally {
  await installation.close(failed)
}
process.exitCode = failed ? 1 : 0

async function run(): Promise<boolean> {
  const api = await installation.startGateway('api', 'api')
  const credentials = await createAccount(installation.environment, 'fuzz')
  await api.untilReady()
  const account = new AccountClient(api.url, credentials)
  const login = await waitFor('the account to be known', async () => (await account.login()).body.data, {
    timeoutMs: 10_000,
    everyMs: 200,
  })
  account.close()
  const prefix = installation.environment['POSTERN_QUEUE_PREFIX']!
  const queue = await AcceptedQueues.open(
    installation.environment['POSTERN_BROKER_URLS']!.split(',')[0]!,
    Object.values(createTopology(prefix).accepted).map(({ name }) => name),
  )
  const client = new RawClient(api.url, `${login.schema} ${login.token}`, concurrency, 2 * maxResponseMs)
  try {
    if (values.at !== undefined) return await repeat(parseInteger('at', values.at), client, queue)
    return await campaign(client, queue)
  } finally {
    client.close()
    await queue.close()
  }
}

async function repeat(at: number, client: RawClient, queue: AcceptedQueues): Promise<boolean> {
  const failure = await shrink(firstSeed, at, client, queue)
  if (failure === undefined) say(`seed ${firstSeed}, case ${at}: nothing is wrong`)
  else show(failure)
  return failure === undefined
}

async function campaign(client: RawClient, queue: AcceptedQueues): Promise<boolean> {
  const tally = createFuzzTally()
  const startedAt = performance.now()
  const seen = new Map<string, number>()
  let failures = 0
  const progress = (done: number): void => {
    if (done > 0 && done % 10_000 === 0) say(`${done} bodies so far, ${failures} failures`)
  }
  for (let done = 0; done < count; done += batchSize) {
    progress(done)
    const seed = firstSeed + done / batchSize
    const found = await runBatch(
      seed,
      Math.min(batchSize, count - done),
      { client, queue, concurrency },
      tally,
    )
    if (queue.unclaimed > 0)
      found.set(-1, [`${queue.unclaimed} durable messages whose key is in no response`])
    failures += found.size
    for (const [at, findings] of found) {
      const kind = findings.join('; ').replaceAll(/\d+/g, 'N')
      seen.set(kind, (seen.get(kind) ?? 0) + 1)
      if (seen.get(kind)! > 1 || seen.size > maxShrunkKinds) continue
      const failure = at < 0 ? undefined : await shrink(seed, at, client, queue)
      if (at < 0) say(`\nseed ${seed}, after its batch: ${findings.join('; ')}`)
      else if (failure === undefined)
        say(`\nseed ${seed}, case ${at}: ${findings.join('; ')} (did not fail again)`)
      else show(failure)
    }
  }
  const exits = installation.unexpectedExits
  summarize(tally, (performance.now() - startedAt) / 1000)
  for (const [kind, times] of seen) say(`${times} × ${kind}`)
  for (const exit of exits) say(exit)
  const tooFew = sendNames.filter((name) => tally.validAccepted[name] < minFraction * tally.valid[name])
  for (const name of tooFew) say(`too few valid ${name} were accepted, so the run proves little about them`)
  say(`${count} bodies, ${failures} failures`)
  return failures === 0 && exits.length === 0 && tooFew.length === 0
}

function show({ seed, at, findings, smallest }: Failure): void {
  const text = smallest.bytes.toString()
  const isText = Buffer.from(text).equals(smallest.bytes)
  const body = isText ? text : `hex ${smallest.bytes.toString('hex')}`
  say(`\n${smallest.send} (${smallest.kind}): ${findings.join('; ')}`)
  say(`  repeat: npm run suite -- fuzz:bodies --seed ${seed} --at ${at}`)
  say(`  smallest: ${body.length > 3_000 ? `${body.slice(0, 3_000)}… (${body.length})` : body}`)
}

function summarize(tally: FuzzTally, seconds: number): void {
  for (const name of sendNames) {
    const { bodies, accepted, valid, validAccepted } = tally
    const percentage = Math.round((100 * validAccepted[name]) / Math.max(1, valid[name]))
    say(`${name}: ${bodies[name]} bodies, ${accepted[name]} accepted; of the valid ones ${percentage} %`)
  }
  const codes = [...tally.codes].sort(([, left], [, right]) => right - left)
  say(`codes: ${codes.map(([code, times]) => `${code || 'none'} ${times}`).join(', ')}`)
  say(
    `${tally.messages} messages durable; slowest response ${Math.round(tally.slowestMs)} ms; ${seconds.toFixed(1)} s`,
  )
}

function parseInteger(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be an integer, got '${text}'`)
  return Number(text)
}
