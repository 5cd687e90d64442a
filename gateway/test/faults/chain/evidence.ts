import { setTimeout as pause } from 'node:timers/promises'
import type { Report, SendResponse } from '../../support/processes/account-client.ts'
import type { HttpResponse } from '../../support/processes/json-http.ts'
import { readLedger } from '../../support/processes/postern-command.ts'
import { query } from '../../support/processes/scratch-database.ts'
import type { Chain } from './chain-installation.ts'
import type { ChainMessage } from './messages.ts'

/** Codes of expired steps and unknown outcomes, after a killed process lost the response or receipt. */
const uncertainCodes = /^(22000|32000|63005|99999)$/

export interface ChainCounts {
  /** Messages with exactly one report, which is correct. */
  readonly right: number
  readonly uncertain: number
  /** Messages without a report. */
  readonly lost: number
  readonly repeated: number
  readonly wrong: number
}

/** Sends a message until it is accepted. Its idempotency key prevents duplicates. */
export async function sendUntilAccepted(chain: Chain, message: ChainMessage): Promise<void> {
  for (;;) {
    const response: HttpResponse<SendResponse> | undefined = await chain.client
      .call<SendResponse>('POST', message.path, JSON.stringify(message.body), undefined, {
        'idempotency-key': message.ref,
      })
      .catch(() => undefined)
    if (response?.httpStatus === 200) return
    if (response !== undefined && response.httpStatus < 429)
      throw new Error(`${message.path} was rejected: ${JSON.stringify(response.body)}`)
    await pause(response?.httpStatus === 429 ? 1_000 : 200)
  }
}

/** Polls the reports of the near installation until it is stopped. */
export class ChainReports {
  readonly byRef = new Map<string, Report[]>()
  /** Longest time between two batches of reports. */
  longestStallMs = 0
  #arrivedAt: number | undefined
  readonly #batches = new Set<string>()
  readonly #chain: Chain
  readonly #running: Promise<void>
  #stopping = false

  constructor(chain: Chain) {
    this.#chain = chain
    this.#running = this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#running
  }

  async #run(): Promise<void> {
    const { client } = this.#chain
    while (!this.#stopping) {
      const batch = (await client.poll().catch(() => undefined))?.body.data
      if (batch === undefined || batch.reportId === '') {
        await pause(50)
        continue
      }
      // A known batch is redelivered if its acknowledgement was lost.
      if (!this.#batches.has(batch.reportId)) this.#store(batch.report)
      this.#batches.add(batch.reportId)
      await client.acknowledge(batch.reportId).catch(() => undefined)
    }
  }

  #store(batch: readonly Report[]): void {
    const now = performance.now()
    this.longestStallMs = Math.max(this.longestStallMs, now - (this.#arrivedAt ?? now))
    this.#arrivedAt = now
    for (const report of batch) this.byRef.set(report.ref, [...(this.byRef.get(report.ref) ?? []), report])
  }
}

/**
 * Checks that each message has one report, and a correct one unless a killed process lost the response or
 * receipt.
 */
export function checkChainReports(
  messages: readonly ChainMessage[],
  reports: ChainReports,
): { readonly counts: ChainCounts; readonly findings: string[]; readonly uncertain: readonly Report[] } {
  const findings: string[] = []
  const counts = { right: 0, uncertain: 0, lost: 0, repeated: 0, wrong: 0 }
  const uncertain: Report[] = []
  for (const { ref, code } of messages) {
    const [report, ...more] = reports.byRef.get(ref) ?? []
    if (report === undefined || more.length > 0) {
      counts[report === undefined ? 'lost' : 'repeated']++
      findings.push(`${ref} has ${report === undefined ? 'no report' : `${1 + more.length} reports`}`)
    } else if (report.reportCode === code) counts.right++
    else if (uncertainCodes.test(report.reportCode)) {
      counts.uncertain++
      uncertain.push(report)
    } else {
      counts.wrong++
      findings.push(`${ref} was reported as ${report.reportCode}, expected ${code}`)
    }
  }
  if (reports.byRef.size > messages.length) findings.push('there are reports of messages that were not sent')
  return { counts, findings, uncertain }
}

/** Returns a finding for each message that reached the far installation or the carrier twice. */
export async function checkDuplicates({ far, carrier }: Chain): Promise<string[]> {
  // Neither the API nor the carrier can list messages of the far installation by ref.
  const doubled = await query<{ message: string; times: number }>(
    far.databaseUrl,
    'select left(ref, 32) as message, count(*)::int as times from messages group by 1 having count(*) > 1',
  )
  const parts = await carrier.duplicates()
  return [
    ...doubled.map(({ message, times }) => `${message} was accepted ${times} times by the far installation`),
    ...parts.map(({ text, count }) => `${text ?? '?'} reached the carrier ${count} times`),
  ]
}

export async function checkLedgers({ near, far }: Chain): Promise<string[]> {
  const ledgers = await Promise.all([near, far].map(({ environment }) => readLedger(environment)))
  return ledgers
    .filter(({ gap, inFlight }) => gap !== 0 || inFlight !== 0)
    .map(({ gap, inFlight }) => `a ledger has a gap of ${gap}, ${inFlight} in flight`)
}
