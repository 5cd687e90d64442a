/**
 * An account moves to the other cell while it sends and reads its reports in three ways, and the command is killed on the
 * way. Each message that was accepted must be reported once by every way, and be found by inquiry.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { cellOfKey } from '../../src/contract/msg-key.ts'
import type { System } from '../e2e/system.ts'
import { Program } from '../support/processes/program.ts'
import type { Haproxy } from '../support/processes/haproxy.ts'
import { inParallel } from '../support/parallel.ts'
import { createAccount, readLedger } from '../support/processes/postern-command.ts'
import { printProgress } from '../support/progress.ts'
import { createRandom } from '../support/random.ts'
import { waitFor } from '../support/wait.ts'
import type { Options } from './options.ts'
import { Poller, StreamReader, WebhookReceiver } from './readers.ts'
import { SteadyClient } from './steady-client.ts'

const maxPauseMs = 15_000

export async function moveUnderLoad(
  proxy: Haproxy,
  from: System,
  to: System,
  options: Options,
): Promise<string[]> {
  const findings: string[] = []
  const { environment } = from.installation
  const credentials = await createAccount(environment, 'moving')
  await proxy.command(`add map ${proxy.mapFile} ${credentials.clientId} A1`)
  const steady = new SteadyClient(proxy.url, credentials, `move-${options.seed}`)
  await steady.login()
  const receiver = await WebhookReceiver.start()
  const added = await steady.client.call<{ code: string }>(
    'POST',
    '/v1/webhook',
    JSON.stringify({ url: receiver.url, perSecond: 1000 }),
  )
  if (added.body.code !== 'A000') findings.push(`creating a webhook answered ${JSON.stringify(added.body)}`)
  const readers = [new Poller(steady), new StreamReader(steady)]
  for (const reader of readers) reader.start()
  steady.start(options.rate)
  await pause(options.windowMs / 2)

  const command = new Program({
    name: 'move',
    script: 'gateway/src/main.ts',
    args: [
      ...['account', 'move', credentials.clientId, '--to', to.installation.databaseUrl, '--to-cell', 'B1'],
      ...['--proxy', proxy.socket, '--proxy-map', proxy.mapFile],
    ],
    environment,
    directory: from.installation.directory,
  })
  const random = createRandom(options.seed)
  for (let kill = 0; kill < options.kills; kill++) {
    command.start()
    // Within the copy, the pause, the hand-over or the forwarding.
    await pause(500 + random.below(5_000))
    await command.kill()
    printProgress('killed the move')
  }
  command.start()
  await waitFor(
    'the account to send in cell B1',
    () => steady.accepted.some((key) => cellOfKey(key) === 'B1'),
    {
      timeoutMs: 30_000,
      everyMs: 50,
    },
  ).catch((error: unknown) => findings.push((error as Error).message))
  await pause(options.windowMs / 2)
  await steady.stop()
  await waitFor('the move to end', () => !command.running, { timeoutMs: 60_000, everyMs: 100 }).catch(
    (error: unknown) => findings.push((error as Error).message),
  )
  if (command.running) await command.kill()
  // It ends by itself, which Program calls unexpected; its exit code says whether it succeeded.
  findings.push(...command.unexpectedExits.filter((text) => !text.endsWith('exit code 0')))
  printProgress(`the move has ended; log: ${command.logFile}`)

  const all = [...readers, receiver]
  for (const reader of all) {
    await waitFor(
      `${reader.name} to report all ${steady.accepted.length} messages`,
      () => steady.accepted.every((key) => reader.keys.has(key)),
      { timeoutMs: 20_000, everyMs: 100 },
    ).catch((error: unknown) => {
      const missing = steady.accepted.filter((key) => !reader.keys.has(key))
      findings.push(`${(error as Error).message}; ${missing.length} are missing, such as ${missing[0] ?? ''}`)
    })
  }
  for (const reader of readers) await reader.stop()
  receiver.close()
  for (const reader of all) {
    findings.push(...reader.findings)
    const strange = [...reader.keys].filter((key) => !steady.accepted.includes(key)).length
    if (strange > steady.unanswered)
      findings.push(`${reader.name} has ${strange} messages that were never sent`)
  }
  await inParallel(steady.accepted, 16, async (key) => {
    const { body } = await steady.client.inquire(key)
    if (body.data?.report.length !== 1)
      findings.push(`inquiry for ${key} found ${body.data?.report.length ?? body.code} reports`)
  })
  findings.push(...(await checkLedgers([from, to])))
  const counts = Map.groupBy(steady.accepted, cellOfKey)
  const refused = steady.sends.filter(({ answer }) => answer !== '200 A000')
  const gap = longestGap(steady)
  printProgress(
    `${steady.accepted.length} accepted, ${counts.get('A1')?.length ?? 0} by A1 and ${counts.get('B1')?.length ?? 0} by B1; ${refused.length} refused at first; longest time without an accepted send ${gap.toFixed(0)} ms`,
  )
  if (gap > maxPauseMs) findings.push(`the account could not send for ${gap.toFixed(0)} ms`)
  if (steady.unanswered > 0) findings.push(`${steady.unanswered} sends of the moving account got no answer`)
  steady.client.close()
  return findings
}

/** The longest time between two sends that were accepted at the first try. */
function longestGap({ sends }: SteadyClient): number {
  const times = sends.filter(({ answer }) => answer === '200 A000').map(({ startedAt }) => startedAt)
  times.sort((left, right) => left - right)
  return Math.max(0, ...times.slice(1).map((time, index) => time - times[index]!))
}

async function checkLedgers(systems: readonly System[]): Promise<string[]> {
  const findings: string[] = []
  for (const { installation } of systems) {
    const ledger = await readLedger(installation.environment)
    if (ledger.gap !== 0 || ledger.inFlight !== 0)
      findings.push(`the ledger says ${JSON.stringify(ledger)} when nothing is open`)
  }
  return findings
}
