/** When advertisements are sent, and what becomes of those of the night: changed for commands and the admin API. */
import type { Queryable } from '../platform/database.ts'
import { everyAccount, type QuietChannel } from '../trust/quiet-hours/choices.ts'
import { changeQuietHours, setQuietHours, type QuietHours } from '../trust/quiet-hours/settings.ts'
import { formatMinutes } from '../trust/quiet-hours/window.ts'
import { lockAccount } from './accounts.ts'
import type { ActAudit } from './act-audit.ts'
import { UsageError } from './errors.ts'

/** What the hours hold for. */
export interface HoursPlace {
  /** Undefined: all accounts. */
  readonly account: string | undefined
  readonly channel: QuietChannel
}

/** What is left out stays. */
export type HoursChange = { readonly [Field in keyof QuietHours]?: QuietHours[Field] | undefined }

const recorded = 'a change of the hours of advertisements'

export function changeHours(
  audit: ActAudit,
  place: HoursPlace,
  { opensAt, closesAt, choice }: HoursChange,
): Promise<QuietHours> {
  audit.requireReason(recorded)
  return audit.change(async (transaction) => {
    const accountId = await lockOwner(transaction, place)
    const hours = await changeQuietHours(transaction, accountId, place.channel, (before) => {
      const after = {
        opensAt: opensAt ?? before.opensAt,
        closesAt: closesAt ?? before.closesAt,
        choice: choice ?? before.choice,
      }
      if (after.opensAt < after.closesAt) return after
      throw new UsageError(
        `the hours must end after they begin, not last from ${formatMinutes(after.opensAt)} to ${formatMinutes(after.closesAt)}; give both times`,
      )
    })
    return [hours, { ...subjectOf(place), details: { ...hours } }]
  })
}

/** What is set for all accounts, or the default, holds again. */
export function removeHours(audit: ActAudit, place: HoursPlace): Promise<void> {
  audit.requireReason(recorded)
  return audit.change(async (transaction) => {
    await setQuietHours(transaction, await lockOwner(transaction, place), place.channel, null)
    return [undefined, { ...subjectOf(place), details: { removed: true } }]
  })
}

async function lockOwner(transaction: Queryable, { account }: HoursPlace): Promise<number> {
  return account === undefined ? everyAccount : (await lockAccount(transaction, account)).id
}

const subjectOf = ({ account, channel }: HoursPlace) => ({
  target: `quiet hours of ${channel}`,
  account: account ?? null,
})
