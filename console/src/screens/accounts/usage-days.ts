import type { Operations } from '../../generated/operations.ts'

type Rows = Operations['showUsage']['data']['items']

export interface UsageDay {
  /** Format yyyy-MM-dd, in the time zone of the installation. */
  readonly day: string
  readonly delivered: number
  readonly failed: number
  /** Expired, cancelled or without a known outcome. */
  readonly others: number
}

const dayMs = 86_400_000
export const daysShown = 30

/** Returns 30 consecutive days up to `today` or the last day with usage, whichever is later. */
export function toDays(rows: Rows, today: string): UsageDay[] {
  const last = rows.reduce((latest, { day = '' }) => (day > latest ? day : latest), today)
  const byDay = Map.groupBy(rows, ({ day = '' }) => day)
  return Array.from({ length: daysShown }, (_none, index) => {
    const day = new Date(Date.parse(last) - (daysShown - 1 - index) * dayMs).toISOString().slice(0, 10)
    const dayRows = byDay.get(day) ?? []
    const sum = (wanted: (outcome: string) => boolean): number =>
      dayRows.reduce((total, { outcome = '', messages }) => total + (wanted(outcome) ? messages : 0), 0)
    return {
      day,
      delivered: sum((outcome) => outcome === 'delivered'),
      failed: sum((outcome) => outcome === 'failed'),
      others: sum((outcome) => !['delivered', 'failed'].includes(outcome)),
    }
  })
}

export const countMessages = ({ delivered, failed, others }: UsageDay): number => delivered + failed + others

export function sumDays(days: readonly UsageDay[]): Omit<UsageDay, 'day'> {
  return days.reduce(
    (sum, { delivered, failed, others }) => ({
      delivered: sum.delivered + delivered,
      failed: sum.failed + failed,
      others: sum.others + others,
    }),
    { delivered: 0, failed: 0, others: 0 },
  )
}

/** Returns the date in the time zone of the browser. */
export function localDay(now: Date): string {
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
