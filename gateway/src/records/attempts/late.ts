/**
 * Receipts that arrived after their step had ended. They are marked on their parts and change no outcome. A delivery of a
 * step whose successor was submitted means that the recipient received the message twice, which is marked too.
 */
import { columns, queryBulk } from '../../platform/bulk.ts'
import type { Queryable } from '../../platform/database.ts'
import type { StepKey } from '../../jobs/step-key.ts'
import type { MatchedPart } from './match.ts'

export interface LatePart extends StepKey {
  readonly part: number
  readonly deliveredTwice: boolean
  /** The first part that shows the message as delivered twice. */
  readonly firstDeliveredTwice: boolean
}

/** An empty batch sends no statement. */
export function markLate(transaction: Queryable, parts: readonly MatchedPart[]): Promise<LatePart[]> {
  return queryBulk<LatePart>(transaction, {
    name: 'mark-late',
    text: `update attempts a
              set late = true,
                  delivered_twice = a.delivered_twice or a.result = 'delivered' and (
                    exists (select from attempts o
                             where o.msg_key = a.msg_key and (o.step, o.try) > (a.step, a.try) and o.outcome <> 'refused')
                    -- Claimed and not recorded yet: the carrier may have accepted it already.
                    or exists (select from in_flight f
                                where f.msg_key = a.msg_key and (f.step, f.try) > (a.step, a.try)
                                  and f.state = 'submitting'))
             from unnest($1::text[], $2::smallint[], $3::smallint[], $4::smallint[]) as l (msg_key, step, try, part)
            where a.msg_key = any (array[l.msg_key]) and a.step = l.step and a.try = l.try and a.part = l.part
           returning a.msg_key as "msgKey", a.step, a.try, a.part, a.delivered_twice as "deliveredTwice",
                     a.delivered_twice and not exists (
                       select from attempts e where e.msg_key = a.msg_key and e.delivered_twice) as "firstDeliveredTwice"`,
    columns: columns(parts, (part) => [part.msgKey, part.step, part.try, part.part]),
  })
}
