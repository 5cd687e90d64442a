/** What `postern account block`, `unblock` and `stops` print, over either way. Pure. */
import type { AccountStop } from '../../accounts/stops.ts'
import type { StopCounts } from '../../acts/block-progress.ts'
import { table, timeText, type Result } from '../result.ts'

export interface Block extends Pick<AccountStop, 'backlog' | 'webhooks' | 'reason'> {
  readonly clientId: string
}

/** `counts` is null when they could not be read in time. */
export function blockedResult(block: Block, counts: StopCounts | null): Result {
  const { clientId, backlog, webhooks, reason } = block
  const { submitted, closed, held, open } = counts ?? uncounted
  return {
    json: { clientId, blocked: true, backlog, closed, held, submitted, open, webhooks },
    lines: [
      `${clientId}: blocked (${reason}); its requests are refused, and nothing more of it is submitted`,
      ...(counts === null ? [notCounted] : countLines(counts, webhooks)),
    ],
  }
}

const uncounted = { closed: null, held: null, submitted: null, open: null }
const notCounted =
  'Its messages could not be counted, because the database did not answer in time: workers go on all the same'

function countLines({ submitted, closed, held, open }: StopCounts, webhooks: number): string[] {
  return [
    ...table([
      ['closed', String(closed), 'ended with the report 90011, which can be polled after an unblock'],
      ['held', String(held), 'wait until `postern account unblock`, or until their deadline'],
      ['submitted', String(submitted), 'were with carriers before; their reports follow as usual'],
      ['webhooks', String(webhooks), 'are paused, and continue where they stopped after an unblock'],
    ]),
    ...(open > 0
      ? [
          `${open} messages are still open: workers go on. If the number stays, check that a worker runs (\`postern worker list\`)`,
        ]
      : []),
  ]
}

export function unblockedResult(clientId: string, resumed: number): Result {
  return {
    json: { clientId, blocked: false, resumed },
    lines: [
      `${clientId}: unblocked; ${resumed} held messages are sent, and its webhooks continue. Running processes follow within two seconds`,
    ],
  }
}

type Stop = Omit<AccountStop, 'at' | 'endedAt' | 'id' | 'accountId' | 'reportSeq' | 'notice'> & {
  readonly at: Date | string
  readonly endedAt: Date | string | null
  readonly notice?: string | null | undefined
}

export function stopsResult(clientId: string, stops: readonly Stop[]): Result {
  const time = (at: Date | string | null): string => (at === null ? '-' : timeText(at).slice(0, 19))
  const number = (count: number | null): string => (count === null ? '-' : String(count))
  const rows = stops.map((stop) => [
    ...[time(stop.at), stop.by, stop.reason, stop.notice ?? '-', stop.backlog],
    ...[number(stop.closed), number(stop.held), number(stop.submitted)],
    ...[time(stop.endedAt), stop.endedBy ?? '-', stop.endedReason ?? '-'],
  ])
  const head = ['since', 'by', 'reason', 'notice', 'backlog', 'closed', 'held', 'submitted']
  return {
    json: { clientId, stops: stops.map(stopJson) },
    lines: table([[...head, 'until', 'by', 'reason'], ...rows]),
  }
}

function stopJson(stop: Stop): object {
  const { at, by, reason, notice, backlog, webhooks, submitted, closed, held } = stop
  const { endedAt, endedBy, endedReason } = stop
  return { at, by, reason, notice, backlog, webhooks, submitted, closed, held, endedAt, endedBy, endedReason }
}
