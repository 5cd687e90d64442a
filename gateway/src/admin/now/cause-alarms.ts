/** Alarms that name a cause: PostgreSQL, a carrier that is slow or refuses, messages that no route serves, an account with a burst. Pure. */
import { textReportCodes } from '../../channels/report-codes.ts'
import { critical, routePath, warning, type Found } from './alarm.ts'
import type { FailingRoute } from './cause-figures.ts'
import type { Figures, RouteFigures } from './figures.ts'
import { describeLockWaits, lockAdvice } from './read-database.ts'

/** The figures take about 30 ms while PostgreSQL keeps up, and are given up after two seconds. */
const maxReadMs = 1_000
const maxLockSeconds = 3
/** Messages stand still. */
const criticalLockSeconds = 10

export function databaseAlarms({ database }: Figures): Found[] {
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
      text: `PostgreSQL is slow: it took ${(readMs / 1_000).toFixed(1)} s to read these figures`,
      action:
        'Check its processors, disks and connections, and what runs for long in pg_stat_activity; searches of operators share the connections that read them.',
    },
  ]
}

/** Fewer may be one client that sends to other countries than usual. */
const minUnserved = 5

export function failureAlarms({ failures: { routes, unserved, ended } }: Figures): Found[] {
  const { code } = textReportCodes['no-route']
  return [
    ...routes.map((failing) => ({
      ...warning('route-failing', routePath(failing.route)),
      text: describeFailing(failing),
      action:
        failing.prefix === null || failing.prefix === ''
          ? 'Open the route and see the codes; drain it when other routes serve its messages, and call the carrier.'
          : 'Call the carrier with the code. When another route serves these numbers, leave them out of the prefixes of this one.',
    })),
    unserved >= minUnserved && {
      ...warning('unserved', `/admin/v1/messages?code=${code}`),
      text: `${unserved} of the last ${ended} messages that ended were sent nowhere: no route serves them`,
      action:
        'Open one of them: it shows why each route does not serve it. See what was changed at the routes last.',
    },
  ]
}

function describeFailing({ route, failed, sent, code, text, carrierCode, prefix }: FailingRoute): string {
  const numbers =
    prefix === null ? '' : prefix === '' ? ', whatever the number' : ` to numbers that begin with ${prefix}`
  const codes = [code, carrierCode].filter((one) => one !== null).join(', ')
  const why = text === null ? codes : `${text} (${codes})`
  return `route ${route}: ${failed} of ${sent} messages${numbers} failed${why === '' ? '' : `: ${why}`}`
}

/** A route needs a moment for a burst of any account. */
const minWaiting = 20
const maxSlow = 3

export function backlogAlarms({ routes, backlog }: Figures): Found[] {
  const burst = burstAlarm(backlog)
  const slow = routes.filter(
    // A route at its limit is the consequence of a burst, and its advice that of the burst.
    ({ slow: why, waiting, queued }) =>
      why !== null && waiting + queued >= minWaiting && (burst === false || why !== 'limit'),
  )
  return [...slow.slice(0, maxSlow).map(slowAlarm), burst]
}

const causes: Readonly<Record<NonNullable<RouteFigures['slow']>, { text: string; action: string }>> = {
  throttled: {
    text: 'its carrier throttles it',
    action:
      'Its rate is adapted by itself. Ask the carrier for more, or open another route for its messages.',
  },
  limit: {
    text: 'it submits at the limit of its settings',
    action: 'Raise its rate when the carrier allows more, or open another route for its messages.',
  },
  answers: {
    text: 'its carrier answers slowly',
    action: 'Call the carrier; drain the route when others serve its messages.',
  },
}

function slowAlarm({ id, slow, waiting, queued, waitingSeconds, submitted }: RouteFigures): Found {
  const { text, action } = causes[slow!]
  return {
    ...warning('route-slow', routePath(id)),
    text: `route ${id} is slow: ${waiting + queued} messages wait${waitingSeconds < 1 ? '' : `, the oldest for ${Math.round(waitingSeconds)} s`}, and it submits ${submitted} a second; ${text}`,
    action,
  }
}

const minBurst = 200
const minBurstShare = 0.8

function burstAlarm({ due, more, accounts, othersSeconds, othersSend }: Figures['backlog']): Found {
  const [first] = accounts
  // With one account that sends, what waits says nothing about it.
  if (first === undefined || first.waiting < minBurst || first.waiting < due * minBurstShare || !othersSend)
    return false
  const { account, name, waiting, accepted, oldestSeconds } = first
  // Accepted messages are counted a moment later than those that wait.
  const sent = accepted < waiting ? '' : `${accepted} messages in the last minutes, `
  const own = more ? `at least ${waiting} messages that wait` : `${waiting} of the ${due} that wait`
  return {
    ...warning('account-burst', `/admin/v1/accounts/${encodeURIComponent(account)}`),
    text: `account ${name} sends a burst: ${sent}${own} are its own, the oldest for ${Math.round(oldestSeconds)} s${describeOthers(othersSeconds)}`,
    action:
      'Nothing is lost: accounts are served in turn. Tell the client how long it takes; a lower send limit or the bulk lane keeps it smaller.',
  }
}

function describeOthers(seconds: number | null): string {
  if (seconds === null) return ''
  return seconds < 1
    ? '; nothing of other accounts waits longer than a second'
    : `; those of other accounts wait ${Math.round(seconds)} s at most`
}
