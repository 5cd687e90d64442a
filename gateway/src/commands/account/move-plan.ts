/** `postern account move --dry-run`: what the move will do. Changes nothing. */
import { readMoving, readMove } from '../../accounts/moves.ts'
import type { Queryable } from '../../platform/database.ts'
import { countOpen, countUnrecordedOf } from '../../records/messages/open.ts'
import { loadRouteRules } from '../../routes/queries.ts'
import type { Result } from '../result.ts'
import type { Move } from './move-context.ts'
import { compareRules, countKeys, describeKeys, describeRules } from './move-rules.ts'

export async function describeMove(move: Move): Promise<Result> {
  const { source, target, account, clientId, fromCell, toCell } = move
  const there = await readMoving(target, clientId)
  const begun = there === null ? null : await readMove(target, there.id)
  const moved = account.servedBy === toCell
  const counts = await countRows(
    source,
    account.id,
    (moved ? begun?.forwardedSeq : null) ?? begun?.copiedSeq ?? 0,
  )
  const { open: recorded, scheduled, scheduledUntil } = await countOpen(source, account.id)
  const open = recorded + (await countUnrecordedOf(source, account.id))
  const routes = (await loadRouteRules(source))
    .filter(({ accounts }) => accounts.includes(account.id))
    .map((route) => route.id)
  const steps = moved
    ? [
        `${clientId} is in cell ${toCell} already; forward ${counts.reports} reports that cell ${fromCell} has written since, and those of ${open} open messages as it finishes them`,
      ]
    : [
        `copy ${counts.reports} reports, ${counts.files} files (their bytes stay in cell ${fromCell}), ${counts.forms} forms and ${counts.webhooks} webhooks to cell ${toCell}`,
        `pause ${clientId} for some seconds: requests are answered 503 with Retry-After`,
        `copy what has changed, then cell ${toCell} serves it; clients request a new token`,
        `forward the reports of ${open} open messages as cell ${fromCell} finishes them`,
      ]
  const rules = moved ? { onlyThere: [], onlyHere: [] } : await compareRules(move)
  const keys = await countKeys(move)
  const notes = [
    ...describeRules(move, rules),
    ...(moved ? [] : describeKeys(move, keys)),
    ...(scheduled === 0
      ? []
      : [
          `${scheduled} messages are scheduled until ${scheduledUntil!.toISOString()}: cell ${fromCell} sends them, and they cannot be cancelled after the move`,
        ]),
    ...(routes.length === 0
      ? []
      : [`routes of cell ${fromCell} name the account (${routes.join(', ')}): give cell ${toCell} its own`]),
  ]
  return {
    json: { clientId, from: fromCell, to: toCell, moved, ...counts, open, scheduled, routes, keys, rules },
    lines: [...steps.map((step, index) => `${index + 1}. ${step}`), ...notes.map((note) => `note: ${note}`)],
  }
}

interface Counts {
  readonly reports: number
  readonly files: number
  readonly forms: number
  readonly webhooks: number
}

async function countRows(database: Queryable, accountId: number, copiedSeq: number): Promise<Counts> {
  const result = await database.query<Counts>(
    `select (select count(*) from reports where account_id = $1 and seq > $2) as reports,
            (select count(*) from files where account_id = $1 and stored) as files,
            (select count(*) from forms where account_id = $1) as forms,
            (select count(*) from webhooks where account_id = $1) as webhooks`,
    [accountId, copiedSeq],
  )
  return result.rows[0]!
}
