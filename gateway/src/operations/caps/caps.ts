import { createTimeFormat } from '../../contract/times.ts'
import { clock } from '../../platform/time/clock.ts'
import type { Queryable } from '../../platform/database/database.ts'
import { isCapClass } from '../../trust/abuse/caps.ts'
import { readCapUsage } from '../../trust/abuse/cap-store.ts'
import { periods, type Period } from '../../trust/abuse/protection-choices.ts'
import { setCap, type Cap } from '../../trust/abuse/protection.ts'
import { lockAccount } from '../find-account.ts'
import type { AuditRecorder } from '../audit-recorder.ts'
import { OperationError, wrongField } from '../errors.ts'

export interface UsedCap extends Cap {
  /** Messages in this day or month, including those reserved by API processes. */
  readonly used: number
}

/** `null` removes a cap; an omitted period is kept. */
export type CapChange = Partial<Readonly<Record<Period, number | null>>>

export async function readCapUse(
  database: Queryable,
  accountId: number,
  caps: readonly Cap[],
  timeZone: string,
): Promise<UsedCap[]> {
  const day = createTimeFormat(timeZone)(clock.date()).slice(0, 10)
  const rows = await readCapUsage(database, accountId, { day, month: `${day.slice(0, 7)}-01` })
  return caps.map((cap) => ({
    ...cap,
    used: rows.find((row) => row.class === cap.class && row.period === cap.period)?.used ?? 0,
  }))
}

/** `capClass` is `all`, a channel or the ISO code of a country. */
export async function changeCaps(
  audit: AuditRecorder,
  clientId: string,
  capClass: string,
  change: CapChange,
): Promise<void> {
  if (!isCapClass(capClass))
    throw wrongField('class', `must be "all", a channel or the ISO code of a country, not '${capClass}'`)
  const changedPeriods = periods.filter((period) => change[period] !== undefined)
  if (changedPeriods.length === 0)
    throw new OperationError('invalid-request', 'a daily or monthly cap is required: a number, or none')
  await audit.change(async (transaction) => {
    const { id } = await lockAccount(transaction, clientId)
    for (const period of changedPeriods)
      await setCap(transaction, id, { period, class: capClass, max: change[period]! })
    const details = {
      class: capClass,
      ...Object.fromEntries(changedPeriods.map((period) => [period, change[period]])),
    }
    return [undefined, { target: clientId, account: clientId, details }]
  })
}
