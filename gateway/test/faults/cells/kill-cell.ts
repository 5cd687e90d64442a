import { setTimeout as pause } from 'node:timers/promises'
import { untilReady, type E2eSystem } from '../../e2e/system.ts'
import type { Haproxy } from '../../support/processes/haproxy.ts'
import { createAccount } from '../../support/processes/postern-command.ts'
import { printProgress } from '../../support/measure/progress.ts'
import { computeSpread } from '../../support/measure/statistics.ts'
import { waitFor } from '../../support/wait.ts'
import type { CellsOptions } from './options.ts'
import type { OwnEngines } from './own-engines.ts'
import { CellReportPoller } from './poller.ts'
import { SteadyClient } from './steady-client.ts'

/** Maximum time until the proxy has detected that a cell is down. */
const detectionMs = 3_000

/** Allowed increase of a p99 by other load on the machine, on top of twice its value. */
const noiseMs = 100

export interface Cells {
  readonly proxy: Haproxy
  readonly victim: E2eSystem
  /** Engines of the victim. */
  readonly engines: OwnEngines
  readonly other: E2eSystem
}

/**
 * Kills all processes and engines of one cell under load. The other cell must be unaffected and no accepted
 * message lost.
 */
export async function killCell(
  { proxy, victim, engines, other }: Cells,
  options: CellsOptions,
): Promise<string[]> {
  const [hit, spared] = await Promise.all([
    openClient(proxy, victim, 'A1', options),
    openClient(proxy, other, 'B1', options),
  ])
  const findings: string[] = []
  hit.start(options.messagesPerSecond)
  spared.start(options.messagesPerSecond)
  await pause(options.measuredMs)
  const killedAt = performance.now()
  await Promise.all([victim.api.kill(), victim.worker.kill(), engines.kill()])
  printProgress('killed the API, the worker and the engines of cell A1')
  await pause(options.measuredMs)
  await spared.stop()
  await engines.startAgain()
  victim.api.start()
  victim.worker.start()
  await untilReady(victim)
  printProgress('cell A1 is back')
  await hit.stop()

  // On a busy machine cell B1 may respond 429; the client retries.
  const throttled = spared.sends.filter(({ response }) => response === '429 A020').length
  const failed = spared.sends.filter(({ response }) => !['200 A000', '429 A020'].includes(response))
  if (failed.length > 0)
    findings.push(
      `${failed.length} of ${spared.sends.length} sends of cell B1 failed: ${failed[0]!.response}`,
    )
  const before = computeSpread(
    spared.sends.filter(({ startedAt }) => startedAt < killedAt).map(({ ms }) => ms),
  )
  const after = computeSpread(
    spared.sends.filter(({ startedAt }) => startedAt >= killedAt).map(({ ms }) => ms),
  )
  printProgress(
    `cell B1: ${spared.sends.length} sends, ${failed.length} failed, ${throttled} throttled; p99 ${before.p99.toFixed(0)} ms before, ${after.p99.toFixed(0)} ms after`,
  )
  if (after.p99 > 2 * before.p99 + noiseMs)
    findings.push(
      `the p99 of cell B1 rose from ${before.p99.toFixed(0)} to ${after.p99.toFixed(0)} ms when cell A1 was killed`,
    )
  const afterKill = hit.sends.filter(({ startedAt }) => startedAt > killedAt + detectionMs)
  if (!afterKill.some(({ response }) => response === '503 A920'))
    findings.push('no send to the killed cell failed with 503 A920')

  for (const [cell, steady] of [
    ['A1', hit],
    ['B1', spared],
  ] as const) {
    const poller = new CellReportPoller(steady)
    poller.start()
    await waitFor(
      `a report for each of ${steady.accepted.length} messages of cell ${cell}`,
      () => steady.accepted.every((key) => poller.keys.has(key)),
      { timeoutMs: 60_000, everyMs: 200 },
    ).catch((error: unknown) => findings.push((error as Error).message))
    await poller.stop()
    findings.push(...poller.findings)
    // A send with a cut connection may have been accepted; the client has no msgKey.
    const unknown = [...poller.keys].filter((key) => !steady.accepted.includes(key)).length
    if (unknown > steady.unanswered)
      findings.push(`cell ${cell} reported ${unknown} messages that were not accepted`)
    printProgress(
      `cell ${cell}: ${steady.accepted.length} accepted, ${poller.keys.size} reported, ${steady.unanswered} without a response`,
    )
    steady.client.close()
  }
  return findings
}

async function openClient(
  proxy: Haproxy,
  { installation }: E2eSystem,
  cell: string,
  options: CellsOptions,
): Promise<SteadyClient> {
  const credentials = await createAccount(installation.environment, `load ${cell}`)
  await proxy.command(`add map ${proxy.mapFile} ${credentials.clientId} ${cell}`)
  const steady = new SteadyClient(proxy.url, credentials, `kill-${cell}-${options.seed}`)
  await steady.login()
  return steady
}
