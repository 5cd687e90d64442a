/**
 * Derives alarms that name a cause: a slow PostgreSQL, a slow or refusing carrier, messages without a route,
 * or a burst of one account.
 */
import { textReportCodes } from '../../channels/report-codes.ts'
import type { FailingRoute } from './cause-figures.ts'
import type { Alarm, NowFigures, RouteFigures } from './figures.ts'
import { describeLockWaits, lockAdvice } from './read-database.ts'

export type AlarmCheck = Alarm | false

export function critical(id: string, path: string | null): Pick<Alarm, 'id' | 'severity' | 'path'> {
  return { id, severity: 'critical', path }
}

export function warning(id: string, path: string | null): Pick<Alarm, 'id' | 'severity' | 'path'> {
  return { id, severity: 'warning', path }
}

function routePath(route: string): string {
  return `/admin/v1/routes/${encodeURIComponent(route)}`
}

/** A healthy PostgreSQL is far below this; each statement of the reading is aborted after two seconds. */
const maxReadMs = 1_000
const maxLockSeconds = 3
/** A lock held this long stops messages. */
const criticalLockSeconds = 10

export function databaseAlarms({ database }: NowFigures): AlarmCheck[] {
  const { lockWaitSeconds, readMs } = database
  const waits = describeLockWaits(database)
  if (waits !== null && lockWaitSeconds > maxLockSeconds)
    return [
      {
        ...(lockWaitSeconds > criticalLockSeconds ? critical : warning)('database-locked', null),
        text: `PostgreSQL is slow: ${waits}`,
        action: lockAdvice(database),
      },
    ]
  return [
    readMs > maxReadMs && {
      ...warning('database-slow', null),
      text: `PostgreSQL is slow: reading these figures took ${(readMs / 1_000).toFixed(1)} s`,
      action:
        'Check the CPU, disks and connections of PostgreSQL, and long-running statements in pg_stat_activity. Long searches of operators can also delay these figures, because they use the same connections.',
    },
  ]
}

/** Fewer unserved messages are no alarm: they can come from one client that sends to unusual countries. */
const minUnserved = 5

export function failureAlarms({ failures: { routes, unserved, ended } }: NowFigures): AlarmCheck[] {
  const { code } = textReportCodes['no-route']
  return [
    ...routes.map((failing) => ({
      ...warning('route-failing', routePath(failing.route)),
      text: describeFailing(failing),
      action:
        failing.prefix === null || failing.prefix === ''
          ? 'Open the route and check the codes; drain it if other routes serve its messages, and contact the carrier.'
          : 'Contact the carrier with the code. If another route serves these numbers, remove them from the prefixes of this one.',
    })),
    unserved >= minUnserved && {
      ...warning('unserved', `/admin/v1/messages?code=${code}`),
      text: `${unserved} of the last ${ended} closed messages were not sent because no route serves them`,
      action: 'Open one of them to see why no route serves it, and check the latest changes to routes.',
    },
  ]
}

function describeFailing({ route, failed, sent, code, text, carrierCode, prefix }: FailingRoute): string {
  const numbers =
    prefix === null
      ? ''
      : prefix === ''
        ? ' to numbers of every kind'
        : ` to numbers that begin with ${prefix}`
  const codes = [code, carrierCode].filter((name) => name !== null).join(', ')
  const why = text === null ? codes : `${text} (${codes})`
  return `route ${route}: ${failed} of ${sent} messages${numbers} failed${why === '' ? '' : `: ${why}`}`
}

/** Fewer waiting messages are no alarm: any burst waits for a moment. */
const minWaiting = 20
/** Maximum number of slow routes that are listed. */
const maxSlowAlarms = 3

export function backlogAlarms({ routes, backlog }: NowFigures): AlarmCheck[] {
  const burst = burstAlarm(backlog)
  const slow = routes.filter(
    // A route at its limit is the consequence of a burst, so the advice for the burst applies.
    ({ slow: why, waiting, queued }) =>
      why !== null && waiting + queued >= minWaiting && (burst === false || why !== 'limit'),
  )
  return [...slow.slice(0, maxSlowAlarms).map(slowAlarm), burst]
}

const slownessTexts: Readonly<Record<NonNullable<RouteFigures['slow']>, { text: string; action: string }>> = {
  throttled: {
    text: 'its carrier throttles it',
    action:
      'The rate is adjusted automatically. Request a higher limit from the carrier, or add another route for its messages.',
  },
  limit: {
    text: 'it submits at the limit of its settings',
    action: 'Raise its rate if the carrier allows it, or add another route for its messages.',
  },
  answers: {
    text: 'its carrier responds slowly',
    action: 'Contact the carrier; drain the route if others serve its messages.',
  },
}

function slowAlarm({ id, slow, waiting, queued, waitingSeconds, submitted }: RouteFigures): AlarmCheck {
  const { text, action } = slownessTexts[slow!]
  return {
    ...warning('route-slow', routePath(id)),
    text: `route ${id} is slow: ${waiting + queued} messages wait${waitingSeconds < 1 ? '' : `, the oldest for ${Math.round(waitingSeconds)} s`}, and it submits ${submitted} parts per second; ${text}`,
    action,
  }
}

const minBurst = 200
const minBurstFraction = 0.8

function burstAlarm({ due, more, accounts, othersSeconds, othersSend }: NowFigures['backlog']): AlarmCheck {
  const [first] = accounts
  // If only one account sends, the backlog does not indicate a burst.
  if (
    first === undefined ||
    first.waiting < minBurst ||
    first.waiting < due * minBurstFraction ||
    !othersSend
  )
    return false
  const { account, name, waiting, accepted, oldestSeconds } = first
  // Accepted messages are counted a moment later than waiting ones, so a lower number is not shown.
  const sent = accepted < waiting ? '' : `${accepted} messages in the last two minutes, `
  const ownMessages = more
    ? `at least ${waiting} waiting messages`
    : `${waiting} of the ${due} waiting messages`
  return {
    ...warning('account-burst', `/admin/v1/accounts/${encodeURIComponent(account)}`),
    text: `account ${name} sends a burst: ${sent}${ownMessages} are its own, the oldest for ${Math.round(oldestSeconds)} s${describeOthers(othersSeconds)}`,
    action:
      'Nothing is lost; accounts are served in turn. Notify the client of the delay; a lower send limit or the bulk lane reduces bursts.',
  }
}

function describeOthers(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds < 1
    ? '; messages of other accounts wait at most a second'
    : `; messages of other accounts wait at most ${Math.round(seconds)} s`
}
