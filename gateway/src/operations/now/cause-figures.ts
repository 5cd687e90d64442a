/** Figures of the first screen that explain why traffic does not flow. */
import type { Static } from 'typebox'
import { flag, list, nullable, number, record, text, whole } from '../fields.ts'

export const DatabaseFigures = record(
  {
    readMs: whole(
      'Time to read these figures from PostgreSQL, including the wait for a connection, in milliseconds',
    ),
    lockWaits: whole('Statements waiting for a lock for more than a second'),
    lockWaitSeconds: number('Longest of these waits, in seconds; 0 if there is none'),
    holder: nullable(
      record(
        {
          process: whole('Its PostgreSQL process ID'),
          user: text('Its database user'),
          application: text('Its application name, such as psql; can be empty'),
          table: nullable(text('The locked table; null if a row is locked')),
        },
        'The session that holds the lock with the longest wait',
      ),
    ),
  },
  'State of PostgreSQL',
  { title: 'DatabaseFigures' },
)

export const BusyAccount = record(
  {
    account: text('Client ID of the account'),
    name: text('Name of the account'),
    accepted: whole('Messages accepted in the last full minute and the current one'),
    waiting: whole('Counted steps that wait for a route'),
    oldestSeconds: number('Wait of the oldest step, in seconds; 0 if there is none'),
  },
  'An account with a backlog',
  { title: 'BusyAccount' },
)

export const BacklogFigures = record(
  {
    due: whole('Counted steps that wait for a route and are due'),
    more: flag('Whether more steps wait than were counted'),
    accounts: list(BusyAccount, 'Accounts with the most waiting steps, at most 5'),
    othersSeconds: nullable(
      number(
        'Wait of the oldest step over all accounts but the first, in seconds; 0 if there is none; null if more accounts wait than were read',
      ),
    ),
    othersSend: flag(
      'Whether messages of accounts other than the first were accepted in the last full minute or the current one',
    ),
  },
  'Accounts that wait for routes',
  { title: 'Backlog' },
)

export const FailingRoute = record(
  {
    route: text('ID of the route'),
    sent: whole(
      'Messages submitted over it in the last ten minutes, of the newest 500; with a `prefix`, only those to its numbers',
    ),
    failed: whole('Of these, messages refused or reported as failed'),
    code: nullable(text('Most frequent report code')),
    text: nullable(text('Meaning of the code')),
    carrierCode: nullable(text('Carrier code of the newest failure')),
    prefix: nullable(
      text(
        'Prefix of the numbers to which nearly all messages fail; empty means all numbers; null if only some messages to each prefix fail',
      ),
    ),
  },
  'A route with many failures',
  { title: 'FailingRoute' },
)

export const FailureFigures = record(
  {
    routes: list(FailingRoute, 'Routes with many failures, worst first, at most 3'),
    ended: whole('Messages closed in the last ten minutes, of the newest 2,000'),
    unserved: whole('Of these, messages closed with 90000 because no route serves them'),
  },
  'Recent failures, read every ten seconds; empty if they cannot be read',
  { title: 'FailureFigures' },
)

export type DatabaseFigures = Static<typeof DatabaseFigures>
export type BacklogFigures = Static<typeof BacklogFigures>
export type FailingRoute = Static<typeof FailingRoute>
export type FailureFigures = Static<typeof FailureFigures>
