/**
 * Removes choices that were taken back, and old history. A process reads all choices at its start and every hour, so after a
 * day no copy still has a choice whose removal it missed, however long it was cut off. Called by the maintenance of the worker.
 */
import type { Database } from '../../platform/database.ts'

export const takenBackMs = 86_400_000
const historyMs = 365 * 86_400_000
const batch = 5_000

export async function removeOldChoices(database: Database, now: Date): Promise<number> {
  const takenBack = await inBatches(() =>
    database.query(
      `with gone as (
         delete from recipient_choices where (account_id, recipient) in (
           select account_id, recipient from recipient_choices
            where state = 'none' and changed_at < $1 order by changed_at limit $2 for update skip locked)
            and state = 'none'
         returning *
       )
       insert into recipient_choice_history (account_id, recipient, state, night, since, source, reason, ended_at)
       select account_id, recipient, state, night, since, source, reason, now() from gone`,
      [new Date(now.getTime() - takenBackMs), batch],
    ),
  )
  await inBatches(() =>
    database.query(
      `delete from recipient_choice_history where ctid = any (array(
         select ctid from recipient_choice_history where ended_at < $1 order by ended_at limit $2))`,
      [new Date(now.getTime() - historyMs), batch],
    ),
  )
  return takenBack
}

/** Short statements: a change of a recipient never waits long for the removal. */
async function inBatches(remove: () => Promise<{ readonly rowCount: number | null }>): Promise<number> {
  for (let removed = 0; ;) {
    const count = (await remove()).rowCount ?? 0
    removed += count
    if (count < batch) return removed
  }
}
