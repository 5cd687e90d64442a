/**
 * Publishes to the other API processes of the cell over the broker which keys are near their limits, and receives theirs. Messages hold
 * hashes and counts, no number: the seed of the hashes is derived from the secret that these processes share. Called by the API and
 * the SMPP server.
 */
import { createHmac } from 'node:crypto'
import { clock } from '../../platform/clock.ts'
import type { Broker } from '../../platform/broker/broker.ts'
import type { SharedCounts, SharedSum } from './shared-counts.ts'

/** From a count to its message: what is accepted in this time may exceed a limit. */
const batchMs = 50
/** How often a process publishes that it runs, and repeats its sums. */
const presenceMs = 2_000
/** A process whose reports were not received for so long has stopped. */
const silentMs = 10_000
const maxSums = 2_000
const maxProcesses = 1_000

export interface CountSharing {
  readonly broker: Pick<Broker, 'broadcast' | 'listen'>
  readonly topic: string
  readonly processId: string
}

interface CountReport {
  readonly v: 1
  readonly process: string
  readonly recipients: readonly SharedSum[]
  readonly prefixes: readonly SharedSum[]
}

/** The seed of hashes that all processes with the secret have in common. */
export function sharedSeed(secret: string): Buffer {
  return createHmac('sha256', secret).update('postern counts of velocity').digest().subarray(0, 8)
}

export function startSharing(
  counts: { readonly recipients: SharedCounts; readonly prefixes: SharedCounts },
  { broker, topic, processId }: CountSharing,
  presenceEveryMs = presenceMs,
): { stop(): Promise<void> } {
  const seen = new Map<string, number>()
  const both = [counts.recipients, counts.prefixes]
  let timer: NodeJS.Timeout | undefined

  function send(isPresence: boolean): void {
    const now = clock.now()
    const [recipients, prefixes] = both.map((one) => one.takeSums(now, maxSums))
    if (!isPresence && recipients!.length === 0 && prefixes!.length === 0) return
    const report: CountReport = { v: 1, process: processId, recipients: recipients!, prefixes: prefixes! }
    broker.broadcast(topic, report)
    // There may be more than one report takes.
    if (recipients!.length === maxSums || prefixes!.length === maxSums) sendSoon()
  }
  function sendSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined
      send(false)
    }, batchMs).unref()
  }
  for (const one of both) one.onNear = sendSoon

  function setProcesses(now: number): void {
    for (const [process, at] of seen) if (now - at > silentMs) seen.delete(process)
    for (const one of both) one.processes = 1 + seen.size
  }

  const listening = broker.listen(topic, (message) => {
    const report = readReport(message)
    if (report === undefined || report.process === processId) return
    if (!seen.has(report.process) && seen.size >= maxProcesses) return
    const now = clock.now()
    seen.set(report.process, now)
    setProcesses(now)
    counts.recipients.receive(report.process, report.recipients, now)
    counts.prefixes.receive(report.process, report.prefixes, now)
  })
  const presence = setInterval(() => {
    const now = clock.now()
    setProcesses(now)
    for (const one of both) one.forgetOld(now)
    send(true)
  }, presenceEveryMs).unref()
  send(true)
  return {
    stop() {
      clearTimeout(timer)
      clearInterval(presence)
      return listening.stop()
    },
  }
}

/** Undefined: of another version, or not one of ours. */
export function readReport(message: unknown): CountReport | undefined {
  const report = message as Partial<CountReport> | null
  if (typeof report !== 'object' || report === null || report.v !== 1) return undefined
  const { process, recipients, prefixes } = report
  if (typeof process !== 'string' || process.length > 64 || !areSums(recipients) || !areSums(prefixes))
    return undefined
  return { v: 1, process, recipients, prefixes }
}

function areSums(given: unknown): given is readonly SharedSum[] {
  return (
    Array.isArray(given) &&
    given.length <= maxSums &&
    given.every(
      (sum: unknown) =>
        Array.isArray(sum) &&
        sum.length === 3 &&
        sum.every((part) => Number.isSafeInteger(part) && (part as number) >= 0),
    )
  )
}
