/** Figures of the first screen that say why traffic does not flow. Schemas of the answer, and types of the code that reads and judges. */
import type { Static } from 'typebox'
import { flag, list, nullable, number, record, text, whole } from '../fields.ts'

export const DatabaseFigures = record(
  {
    readMs: whole(
      'How long it took to read the figures of this answer from PostgreSQL, with the wait for a connection, in milliseconds',
    ),
    lockWaits: whole('Statements that have waited for a lock for more than a second'),
    lockWaitSeconds: number('How long the first of them has waited; 0 without one'),
    holder: nullable(
      record(
        {
          process: whole('Its process id in PostgreSQL'),
          user: text('Its database user'),
          application: text('What it calls itself, such as psql; may be empty'),
          table: nullable(text('The table that is waited for; null: a row of one')),
        },
        'The session that holds the lock which the first of them waits for',
      ),
    ),
  },
  'Whether PostgreSQL keeps up',
  { title: 'DatabaseFigures' },
)

export const BusyAccount = record(
  {
    account: text('Client id of the account'),
    name: text('Name of the account'),
    accepted: whole('Messages that were accepted in the last full minute and the present one'),
    waiting: whole('Steps that wait for a route, of those that were counted'),
    oldestSeconds: number('How long the oldest of them has waited; 0 without one'),
  },
  'An account with a backlog',
  { title: 'BusyAccount' },
)

export const Backlog = record(
  {
    due: whole('Steps that wait for a route and could be submitted now, of those that were counted'),
    more: flag('Whether more wait than were counted'),
    accounts: list(BusyAccount, 'Accounts with the most of them, at most 5'),
    othersSeconds: nullable(
      number(
        'How long the oldest step of all accounts but the first has waited; 0 without one; null: more accounts wait than were looked at',
      ),
    ),
    othersSend: flag(
      'Whether messages of other accounts than the first were accepted in the last full minute or the present one',
    ),
  },
  'Who waits for routes',
  { title: 'Backlog' },
)

export const FailingRoute = record(
  {
    route: text('Id of the route'),
    sent: whole('Messages of the last ten minutes that were submitted over it, of the newest 500'),
    failed: whole('Those of them that were refused or reported as failed'),
    code: nullable(text('The report code of most of them')),
    text: nullable(text('What the code means')),
    carrierCode: nullable(text("The carrier's code of the newest of them")),
    prefix: nullable(
      text(
        'What the numbers begin with to which nearly everything fails; empty: whatever the number; null: failures are spread over numbers that are also served',
      ),
    ),
  },
  'A route on which much fails',
  { title: 'FailingRoute' },
)

export const FailureFigures = record(
  {
    routes: list(FailingRoute, 'Routes on which much fails, the worst first, at most 3'),
    ended: whole('Messages of the last ten minutes that ended, of the newest 2,000'),
    unserved: whole('Those of them that ended with 90000: no route serves them'),
  },
  'What fails; read every ten seconds. Empty while it cannot be read',
  { title: 'FailureFigures' },
)

export type DatabaseFigures = Static<typeof DatabaseFigures>
export type Backlog = Static<typeof Backlog>
export type FailingRoute = Static<typeof FailingRoute>
export type FailureFigures = Static<typeof FailureFigures>
