/** Formats the figures of a run with --receipts and compares them with their limits. */
import type { FlushRun, OutageRun } from './receipt-backlog.ts'

export interface ReceiptsRun {
  readonly options: { readonly held: number; readonly rate: number; readonly seconds: number }
  readonly flush: FlushRun
  readonly outage: OutageRun
}

const maxFallbackMs = 1_000

/** Returns rows of a description, a figure and its limit. */
export function receiptFigures({ options, flush, outage }: ReceiptsRun): [string, string, string][] {
  const ms = (value: number): string => `${Math.round(value)} ms`
  const { before, during } = flush
  return [
    ['alimtalk rejected to SMS submitted, before', `p50 ${ms(before.p50)}, p99 ${ms(before.p99)}`, ''],
    [
      `the same while a carrier sends ${options.held} held receipts, ${flush.receiptsPerSecond} per second`,
      `p50 ${ms(during.p50)}, p99 ${ms(during.p99)}, ${during.count} messages`,
      `p99 below ${ms(maxFallbackMs)}`,
    ],
    [
      `PostgreSQL unavailable for ${options.seconds} s at ${options.rate} messages per second`,
      `${outage.accepted} accepted, ${outage.refused} rejected, over RCS ${outage.deliveredInTime} delivered in time, ${outage.deliveredLate} after their deadline`,
      '',
    ],
    [
      'RCS steps that ended at their deadline although their receipt had arrived',
      String(outage.endedThoughDelivered),
      '0',
    ],
    ['recipients that received an SMS twice', String(outage.doubled), '0'],
    ['reports that differ from what the carriers did', String(outage.wrongReports), '0'],
    ['messages without exactly one outcome', String(flush.lost + outage.lost), '0'],
  ]
}

export function receiptsSection(run: ReceiptsRun): string {
  const rows = receiptFigures(run)
    .filter(([, figure, limit]) => limit !== '0' || figure !== '0')
    .map(([name, figure, limit]) => `- ${name}: ${figure}${limit === '' ? '' : ` (limit: ${limit})`}`)
  return rows.join('\n')
}

export function receiptsJson({ flush, outage }: ReceiptsRun): string {
  return JSON.stringify({
    fallbackP99Ms: Math.round(flush.during.p99),
    endedThoughDelivered: outage.endedThoughDelivered,
    lost: flush.lost + outage.lost,
  })
}

export function checkReceipts({ flush, outage }: ReceiptsRun): string[] {
  const { p99 } = flush.during
  return [
    ...(p99 < maxFallbackMs ? [] : [`p99 of the fallback is ${Math.round(p99)} ms`]),
    ...(outage.endedThoughDelivered === 0
      ? []
      : [`${outage.endedThoughDelivered} RCS steps ended although their receipt had arrived`]),
    ...(outage.doubled === 0 ? [] : [`${outage.doubled} recipients received an SMS twice`]),
    ...(outage.wrongReports === 0
      ? []
      : [`${outage.wrongReports} reports differ from what the carriers did`]),
    ...(flush.lost + outage.lost === 0
      ? []
      : [`${flush.lost + outage.lost} messages do not have exactly one outcome`]),
    ...(outage.deliveredInTime > 0 ? [] : ['no message was delivered over RCS']),
    ...flush.failures,
    ...outage.failures,
  ]
}
