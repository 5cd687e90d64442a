/** What a chain run must show: one right report for each message, and each message once at the far installation. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Report, SendAnswer } from '../support/processes/account-client.ts'
import type { HttpAnswer } from '../support/processes/json-http.ts'
import { readLedger } from '../support/processes/postern-command.ts'
import { query } from '../support/processes/scratch-database.ts'
import type { Chain } from './chain-installation.ts'
import type { ChainMessage } from './messages.ts'

/** A deadline that passed, or an outcome that stayed unknown: a killed process lost the answer or the receipt. */
const uncertain = /^(22000|32000|63005|99999)$/

export interface Counts {
  /** Messages with one report, the right one. */
  readonly right: number
  readonly uncertain: number
  /** Messages without a report, with more than one, and with a wrong one. */
  readonly lost: number
  readonly repeated: number
  readonly wrong: number
}

/** Sends until it is accepted: with its key, so that a repeat has no second effect. */
export async function sendSurely(chain: Chain, message: ChainMessage): Promise<void> {
  for (;;) {
    const answer: HttpAnswer<SendAnswer> | undefined = await chain.client
      .call<SendAnswer>('POST', message.path, JSON.stringify(message.body), undefined, {
        'idempotency-key': message.ref,
      })
      .catch(() => undefined)
    if (answer?.httpStatus === 200) return
    if (answer !== undefined && answer.httpStatus < 429)
      throw new Error(`${message.path} was refused: ${JSON.stringify(answer.body)}`)
    await pause(answer?.httpStatus === 429 ? 1_000 : 200)
  }
}

/** Polls the near installation until it is stopped. */
export class Reports {
  readonly byRef = new Map<string, Report[]>()
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
      // The same batch again: its acknowledgement was lost.
      if (!this.#batches.has(batch.reportId))
        for (const report of batch.report)
          this.byRef.set(report.ref, [...(this.byRef.get(report.ref) ?? []), report])
      this.#batches.add(batch.reportId)
      await client.acknowledge(batch.reportId).catch(() => undefined)
    }
  }
}

/** Each message has one report, the right one unless its answer or receipt was lost with a process. */
export function judgeReports(
  messages: readonly ChainMessage[],
  reports: Reports,
): { readonly counts: Counts; readonly findings: string[]; readonly uncertain: readonly Report[] } {
  const findings: string[] = []
  const counts = { right: 0, uncertain: 0, lost: 0, repeated: 0, wrong: 0 }
  const open: Report[] = []
  for (const { ref, code } of messages) {
    const [report, ...more] = reports.byRef.get(ref) ?? []
    if (report === undefined || more.length > 0) {
      counts[report === undefined ? 'lost' : 'repeated']++
      findings.push(`${ref} has ${report === undefined ? 'no report' : `${1 + more.length} reports`}`)
    } else if (report.reportCode === code) counts.right++
    else if (uncertain.test(report.reportCode)) counts.uncertain = open.push(report)
    else {
      counts.wrong++
      findings.push(`${ref} was reported as ${report.reportCode} instead of ${code}`)
    }
  }
  if (reports.byRef.size > messages.length) findings.push('there are reports of messages that were not sent')
  return { counts, findings, uncertain: open }
}

/** What reached the far installation or the carrier twice, a sentence each. */
export async function judgeDoubles({ far, carrier }: Chain): Promise<string[]> {
  // Neither the API nor the carrier shows the messages of the far installation by their ref.
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

export async function judgeLedgers({ near, far }: Chain): Promise<string[]> {
  const ledgers = await Promise.all([near, far].map(({ environment }) => readLedger(environment)))
  return ledgers
    .filter(({ gap, inFlight }) => gap !== 0 || inFlight !== 0)
    .map(({ gap, inFlight }) => `a ledger has a gap of ${gap}, ${inFlight} in flight`)
}
