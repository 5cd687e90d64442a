/**
 * After the switch: reports that the old cell still writes are forwarded to the new one, each once, until nothing of the
 * account is open in the old cell. Then its usage is added and the move ends. A run after the end forwards what came later.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { endMove, lockMove, readMove, saveForwarded } from '../../accounts/moves.ts'
import { inTransaction } from '../../platform/database.ts'
import { countOpen, countUnrecordedOf } from '../../records/messages/open.ts'
import { forwardReports, mergePositions, readNew, readPositions } from '../../records/reports/move.ts'
import { addUsage, readAllUsage } from '../../records/usage/move.ts'
import { ensureDays } from './move-copy.ts'
import { exchangeFiles } from './move-rows.ts'
import type { Move } from './move-context.ts'

const chunk = 1_000
const everyMs = 250
const progressEveryMs = 5_000

export interface Forwarded {
  readonly forwarded: number
  readonly open: number
  readonly ended: boolean
}

export interface ForwardOptions {
  /** For usage days. */
  readonly timeZone: string
  /** Whether the first queues of the old cell are empty; absent: forward once and do not wait for what is open. */
  readonly isIntakeIdle?: () => Promise<boolean>
}

export async function forward(
  move: Move,
  id: number,
  options: ForwardOptions & { readonly quietMs: number },
): Promise<Forwarded> {
  const { source, account, progress, fromCell } = move
  let forwarded = 0
  let quietSince = performance.now()
  let shownAt = performance.now()
  for (;;) {
    const now = await forwardOnce(move, id)
    forwarded += now
    const { open, scheduled, scheduledUntil } = await countOpen(source, account.id)
    if (options.isIntakeIdle === undefined) {
      await exchangeFiles(move, id)
      return { forwarded, open: open + (await countUnrecordedOf(source, account.id)), ended: false }
    }
    if (now > 0 || open > 0 || !(await options.isIntakeIdle())) quietSince = performance.now()
    if (performance.now() - quietSince >= options.quietMs) {
      await exchangeFiles(move, id)
      const unrecorded = await countUnrecordedOf(source, account.id)
      if (unrecorded === 0) break
      progress(
        `${unrecorded} messages that cell ${fromCell} accepted are not recorded: see \`postern parked list\` and \`postern ledger\` there`,
      )
      quietSince = performance.now()
    }
    if (performance.now() - shownAt >= progressEveryMs) {
      const later =
        scheduled === 0 ? '' : `, ${scheduled} of them scheduled until ${scheduledUntil!.toISOString()}`
      progress(`${forwarded} reports forwarded, ${open} messages still open in cell ${fromCell}${later}`)
      shownAt = performance.now()
    }
    await pause(everyMs)
  }
  await end(move, id, options.timeZone)
  return { forwarded, open: 0, ended: true }
}

/** Everything that is there now. */
async function forwardOnce({ source, target, account }: Move, id: number): Promise<number> {
  let forwarded = 0
  for (;;) {
    const { forwardedSeq, copiedSeq } = (await readMove(target, id))!
    const after = forwardedSeq ?? copiedSeq
    const reports = await readNew(source, account.id, after, chunk)
    const positions = await readPositions(source, account.id)
    await ensureDays(
      target,
      reports.map(({ msgKey }) => msgKey),
    )
    const count = await inTransaction(target, async (transaction) => {
      // Another run may have forwarded them meanwhile.
      if ((await lockMove(transaction, id))?.forwardedSeq !== after) return 0
      await mergePositions(transaction, id, positions, copiedSeq)
      if (reports.length === 0) return 0
      const fresh = await forwardReports(transaction, id, reports)
      await saveForwarded(transaction, id, reports.at(-1)!.seq)
      return fresh
    })
    forwarded += count
    if (reports.length < chunk) return forwarded
  }
}

async function end({ source, target, account }: Move, id: number, timeZone: string): Promise<void> {
  const usage = await readAllUsage(source, account.id, timeZone)
  await inTransaction(target, async (transaction) => {
    const move = await lockMove(transaction, id)
    if (move === null) return
    // An earlier version did not keep what it added.
    if (move.endedAt === null || move.usage !== null) await addUsage(transaction, id, usage, move.usage)
    await endMove(transaction, id, usage)
  })
}
